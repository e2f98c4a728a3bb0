"""The command line's page is what --help says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from agenteval.cli.main import COMMANDS, cli

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"


def test_the_reference_is_current():
    # A process of its own: click keeps the help option of a command that another test called without its group.
    made = subprocess.run([sys.executable, "-m", "agenteval.cli.reference"], capture_output=True, encoding="utf-8", check=True).stdout

    assert PAGE.read_text(encoding="utf-8").split() == made.split(), "run: python -m agenteval.cli.reference > docs/cli.md"


def test_every_command_is_found_and_says_what_the_table_says():
    for entry in COMMANDS:
        command = cli.get_command(None, entry.name)
        assert command is not None
        assert command.short_help in (None, entry.summary)


def test_every_option_has_a_help_text():
    for entry in COMMANDS:
        command = cli.get_command(None, entry.name)
        silent = [option.opts for option in command.params if option.param_type_name == "option" and not option.help]
        assert silent == []
