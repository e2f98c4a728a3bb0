"""``python -m agenteval`` is the command line."""

from agenteval.cli.main import main

main()
