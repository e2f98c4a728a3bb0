"""The two versions of the analyst's instructions, as a team would compare them before merging one."""

from __future__ import annotations

from dataclasses import dataclass

TASK = "You answer questions about a company's people from an SQLite database. "


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the model is told, and the tools that it gets."""

    text: str
    tools: tuple[str, ...]


PROMPTS = {
    "terse": Prompt(
        TASK + "Look at a table with describe_table, then query it with run_sql. Answer in one short sentence.",
        ("list_tables", "describe_table", "run_sql"),
    ),
    "schema": Prompt(
        TASK + "Query it with run_sql, then answer in one short sentence. These are its tables, with an example row each:\n"
        "departments(name, city, budget): 'Finance', 'Lyon', 450000\n"
        "employees(id, name, department, salary, hired_on): 1, 'Ada Brandt', 'Marketing', 72000, '2016-04-21'\n"
        "absences(id, employee_id, kind, days, starts_on): 1, 7, 'holiday', 4, '2026-05-02'\n"
        "Join employees with departments ON employees.department = departments.name.",
        ("run_sql",),
    ),
}
