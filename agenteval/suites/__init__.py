"""Reading suites and ``agents.yaml`` with positions; never knows an evaluator by name."""

from agenteval.suites.reading import read as read
from agenteval.suites.selection import Selector as Selector
from agenteval.suites.selection import select as select
