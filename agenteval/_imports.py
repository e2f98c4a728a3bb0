"""Importing what a user names as ``module:attribute``."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from agenteval.errors import InputError, Problem


def extend_path(folders: Iterable[Path]) -> None:
    """Put existing folders at the front of the import path, first given first, each once."""
    for folder in reversed([str(folder) for folder in folders if folder.is_dir()]):
        if folder in sys.path:
            sys.path.remove(folder)
        sys.path.insert(0, folder)


@contextmanager
def import_path_kept() -> Iterator[None]:
    """Afterwards the import path holds again whatever somebody took from it meanwhile; what was added stays."""
    before = list(sys.path)
    try:
        yield
    finally:
        sys.path = [*sys.path, *(folder for folder in before if folder not in sys.path)]


def load_object(reference: str, *, where: str) -> Any:
    """The object named ``module:attribute[.attribute]``.

    Args:
        where: What named it (``--agent``, ``agents.yaml:4:14``), for the error.

    Raises:
        InputError: Bad form, the import fails in any way (``SystemExit`` included), or the attribute is not there.
    """
    module_name, colon, attribute = reference.partition(":")
    if not colon or not module_name or not attribute:
        what = f"{reference!r} is not of the form module:callable"
        raise InputError(Problem(what, "write for example my_project.agent:answer", file=where))
    try:
        found: Any = importlib.import_module(module_name)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        fix = "check the name, the working directory and the agent's own requirements"
        raise InputError(Problem(f"cannot import {module_name!r} ({text})", fix, file=where)) from error
    for name in attribute.split("."):
        try:
            found = getattr(found, name)
        except AttributeError as error:
            from agenteval._text import nearest

            close = nearest(name, [other for other in dir(found) if not other.startswith("_")])
            fix = f"did you mean {close!r}?" if close else f"define {name} there"
            raise InputError(Problem(f"{module_name!r} has no attribute {name!r}", fix, file=where)) from error
    return found
