"""Reading suites and ``agents.yaml`` with positions; never knows an evaluator by name."""
