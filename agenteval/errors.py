"""The one family of errors a user can see: each says where, what is wrong and what to do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake in what the user wrote.

    Attributes:
        what: What is wrong, lower case, the user's value by ``!r``.
        fix: What to do about it, or "".
        path: Place inside the document, e.g. ``cases[0].expects.ground_truth``, or "".
        file: The file as the user named it, or the flag or key where there is no file.
        line: 1-based; 0 where there is no file.
        column: 1-based; 0 where there is no file.
        order: Rank of the file in reading order, so that problems sort in document order.
    """

    what: str
    fix: str = ""
    path: str = ""
    file: str = ""
    line: int = 0
    column: int = 0
    order: int = 0

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        head = ": ".join(part for part in (where, self.path, self.what) if part)
        line = f"{head}; {self.fix}" if self.fix else head
        return line if line.isprintable() else "\\n".join(line.splitlines())

    @property
    def position(self) -> tuple[int, int, int]:
        """Sort key: document order over all files."""
        return (self.order, self.line, self.column)


class AgentEvalError(Exception):
    """A mistake the user can mend. ``exit_code`` is the process's exit code."""

    exit_code = 2


class InputError(AgentEvalError):
    """One or more problems in suites, configuration, flags or stored files; all of them at once, each once, in document order."""

    def __init__(self, problems: Problem | Iterable[Problem]) -> None:
        found = [problems] if isinstance(problems, Problem) else list(problems)
        self.problems: tuple[Problem, ...] = tuple(sorted(dict.fromkeys(found), key=lambda problem: problem.position))
        super().__init__("\n".join(str(problem) for problem in self.problems))


class HarnessError(AgentEvalError):
    """The harness could not finish its own work: disk, lock, internal error."""

    exit_code = 3
