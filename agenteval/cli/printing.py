"""Results on standard output."""

from __future__ import annotations

import json
import sys
from typing import Any

import click


def print_json(value: Any, *, indent: int | None = 1) -> None:
    """One strict JSON document; on an output that is not UTF-8 every other character is escaped, so that it stays valid JSON."""
    unicode_safe = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "") == "utf8"
    text = json.dumps(value, ensure_ascii=not unicode_safe, allow_nan=False, indent=indent)
    click.echo(text.encode("utf-8", "backslashreplace").decode("utf-8"))
