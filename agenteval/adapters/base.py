"""The contract under the address that earlier releases gave it."""

from agenteval.adapters.contract import AgentAdapter
from agenteval.model.response import AgentResponse

__all__ = ["AgentAdapter", "AgentResponse"]
