"""The smallest agent worth testing: it looks prices up in a table and answers in one sentence."""

from __future__ import annotations

from agenteval import AgentAdapter, AgentResponse

PRICES = {"tea": 4.5, "coffee": 6.25}


class MockAgent(AgentAdapter):
    """Answers questions about two prices, with a tool call as evidence."""

    def run(self, prompt: str, **context: object) -> AgentResponse:
        """The answer, and the look-up behind it where there was one."""
        item = next((name for name in PRICES if name in prompt.lower()), None)
        if item is None:
            return AgentResponse(output="Hello! Ask me about tea or coffee.")
        call = {"name": "price_lookup", "arguments": {"item": item}, "result": PRICES[item]}
        if "sell" in prompt.lower():
            return AgentResponse(output=f"Yes, we sell {item}.", tool_calls=[call])
        return AgentResponse(output=f"A pack of {item} costs ${PRICES[item]:.2f}.", tool_calls=[call])
