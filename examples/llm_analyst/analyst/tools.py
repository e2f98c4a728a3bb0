"""What the analyst can do: look at tables and run one SELECT, and nothing that writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

ROW_LIMIT = 20
WORK_LIMIT = 2_000_000
"""Steps of SQLite's machine that a query may take: about a tenth of a second."""
TEXT_LIMIT = 100_000

_READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}


class ToolError(Exception):
    """A tool refused; its text is what the model is told."""


class Tools:
    """The tools over one database, which they lock against writing."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, TEXT_LIMIT)
        database.set_authorizer(lambda action, *_: sqlite3.SQLITE_OK if action in _READING else sqlite3.SQLITE_DENY)

    def call(self, name: str, arguments: dict[str, Any]) -> Any:
        """The tool's result, JSON-safe.

        Raises:
            ToolError: There is no such tool, its arguments do not fit, or SQLite refused the query.
        """
        if name not in PARAMETERS:
            raise ToolError(f"no tool {name!r}; there are {', '.join(PARAMETERS)}")
        wanted = PARAMETERS[name]
        if set(arguments) != set(wanted) or not all(isinstance(value, str) for value in arguments.values()):
            raise ToolError(f"{name} takes {', '.join(f'{key} (text)' for key in wanted) or 'no arguments'}")
        return getattr(self, name)(**arguments)

    def list_tables(self) -> list[str]:
        """Names of the tables."""
        return [name for (name,) in self._database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]

    def describe_table(self, table: str) -> list[str]:
        """Names of the table's columns."""
        if table not in self.list_tables():
            raise ToolError(f"no table {table!r}; there are {', '.join(self.list_tables())}")
        cursor = self._database.execute(f'SELECT * FROM "{table}" LIMIT 0')  # a name that the database itself gave
        return [column[0] for column in cursor.description]

    def run_sql(self, query: str) -> dict[str, Any]:
        """Column names and at most ``ROW_LIMIT`` rows; ``more`` stands there where rows were left out."""
        self._database.set_progress_handler(lambda: 1, WORK_LIMIT)
        try:
            cursor = self._database.execute(query)
            rows = cursor.fetchmany(ROW_LIMIT + 1)
        except (sqlite3.Error, sqlite3.Warning) as problem:
            raise ToolError("only SELECT is allowed" if "not authorized" in str(problem) else f"SQL error: {problem}") from problem
        finally:
            self._database.set_progress_handler(None, 0)
        columns = [column[0] for column in cursor.description or ()]
        table: dict[str, Any] = {"columns": columns, "rows": [[_plain(cell) for cell in row] for row in rows[:ROW_LIMIT]]}
        return table | {"more": True} if len(rows) > ROW_LIMIT else table


def _plain(cell: Any) -> Any:
    return cell.hex() if isinstance(cell, bytes) else cell


PARAMETERS: dict[str, dict[str, str]] = {
    "list_tables": {},
    "describe_table": {"table": "name of the table"},
    "run_sql": {"query": "one SQLite SELECT statement"},
}

DESCRIPTIONS = {
    "list_tables": "Names of all tables.",
    "describe_table": "Columns of one table.",
    "run_sql": "Run one SELECT and get its rows.",
}


def as_functions(names: Sequence[str]) -> list[dict[str, Any]]:
    """The tools as the chat API takes them."""
    return [
        {
            "type": "function",
            "function": {
                "name": name,
                "description": DESCRIPTIONS[name],
                "parameters": {
                    "type": "object",
                    "properties": {key: {"type": "string", "description": what} for key, what in PARAMETERS[name].items()},
                    "required": list(PARAMETERS[name]),
                    "additionalProperties": False,
                },
            },
        }
        for name in names
    ]
