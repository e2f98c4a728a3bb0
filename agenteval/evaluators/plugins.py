"""Evaluators that installed packages offer: what their metadata says, and loading the one whose name is used."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import Distribution, EntryPoint, distributions

from agenteval._text import clip
from agenteval.evaluators.functions import as_evaluator
from agenteval.evaluators.table import BUILT_IN, UnknownEvaluatorError, UnusableEvaluatorError
from agenteval.suites import shape

GROUP = "agenteval.evaluators"
"""The entry-point group in which a package names its evaluators."""

RESERVED = frozenset({*BUILT_IN, "not", "required"})
"""Names that no package can take: the built-in evaluators, and the words that stand beside a name in a suite."""

_NAME = re.compile(r"[a-z][a-z0-9_.-]*")
_REFERENCE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")


@dataclass(frozen=True, slots=True)
class Plugin:
    """An evaluator that a package registers, by its metadata alone.

    Attributes:
        name: As suites write it.
        reference: ``module:attribute``.
        package, version, summary: Of the distribution; "" where its metadata doesn't say.
        folder: Where the distribution lies.
        problem: Why the name cannot be used, as the end of a sentence that begins with the name; "" where it can.
    """

    name: str
    reference: str
    package: str = ""
    version: str = ""
    summary: str = ""
    folder: str = ""
    problem: str = ""

    @property
    def origin(self) -> str:
        """Package and version, as messages name them."""
        return f"{self.package or 'a package without a name'} {self.version}".rstrip()

    @property
    def status(self) -> str:
        """``usable`` or ``unusable``, as far as metadata can say."""
        return "unusable" if self.problem else "usable"


@cache
def registered() -> tuple[Plugin, ...]:
    """What the installed packages register, by name and package. Nothing of them is imported; an unreadable package is one entry."""
    found = sorted(dict.fromkeys(_registrations()), key=lambda plugin: (plugin.name, plugin.package.lower(), plugin.reference))
    groups = {name: [plugin for plugin in found if plugin.name == name] for name in {plugin.name for plugin in found}}
    conflicts = {name: _conflict(offers) for name, offers in groups.items() if len(offers) > 1}
    return tuple(replace(plugin, problem=plugin.problem or conflicts.get(plugin.name, "")) for plugin in found)


def offers_of(name: str) -> tuple[Plugin, ...]:
    """The registrations of a name: none, one, or those in conflict."""
    return tuple(plugin for plugin in registered() if plugin.name == name)


def find(name: str) -> tuple[type, Plugin]:
    """The evaluator of that name, its module imported now, and where it comes from.

    Raises:
        UnknownEvaluatorError: No package registers the name.
        UnusableEvaluatorError: The metadata is wrong, another package registers it too, or it cannot be loaded.
    """
    offers = offers_of(name)
    if not offers:
        raise UnknownEvaluatorError(name)
    first = offers[0]
    if len(offers) > 1:
        raise UnusableEvaluatorError(f"evaluator {name!r} {_conflict(offers)}", "uninstall all but one")
    if first.problem:
        raise UnusableEvaluatorError(f"evaluator {name!r} of {first.origin} {first.problem}")
    return load(first), first


def load(plugin: Plugin) -> type:
    """The plugin's evaluator: a dataclass whose fields are its parameters. What its module prints meanwhile goes to standard error.

    Raises:
        UnusableEvaluatorError: Importing it fails in any way, or what it names does not keep the contract.
    """
    where = f"evaluator {plugin.name!r} of {plugin.origin} ({plugin.reference})"
    try:
        with redirect_stdout(sys.stderr):
            target = EntryPoint(plugin.name, plugin.reference, GROUP).load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a module may do anything as it is imported, also end the process
        raise UnusableEvaluatorError(f"{where} cannot be loaded: {_told(error)}") from error
    try:
        found = as_evaluator(target)
        shape.fields_of(found)
    except (Exception, SystemExit) as error:
        told = str(error) if type(error) is TypeError else _told(error)
        raise UnusableEvaluatorError(f"{where} cannot be used: {told}") from error
    return found


def _told(error: BaseException) -> str:
    return clip(f"{type(error).__name__}: {error}", 500) if str(error) else type(error).__name__


def _registrations() -> Iterator[Plugin]:
    seen: set[str] = set()
    for distribution in distributions():
        try:
            text = distribution.read_text("entry_points.txt") or ""
        except (OSError, UnicodeDecodeError):
            continue
        if GROUP not in text:
            continue
        package = _stated(distribution, "Name")
        key = re.sub(r"[-_.]+", "-", package).lower()
        if key and key in seen:  # the import path hides all copies of a package but the first
            continue
        seen.add(key)
        yield from _of(distribution, package)


def _of(distribution: Distribution, package: str) -> Iterator[Plugin]:
    version, summary = _stated(distribution, "Version"), _stated(distribution, "Summary")
    about = (package, version, summary, str(distribution.locate_file("")))
    try:
        points = [point for point in distribution.entry_points if point.group == GROUP]
    except Exception as error:
        yield Plugin("?", "", *about, problem=f"cannot be read: entry_points.txt is malformed ({_told(error)})")
        return
    for point in points:
        yield Plugin(point.name, point.value, *about, problem=_problem(point))


def _stated(distribution: Distribution, key: str) -> str:
    try:
        return distribution.metadata[key] or ""
    except Exception:
        return ""


def _problem(point: EntryPoint) -> str:
    if point.name in RESERVED:
        kind = "of a built-in evaluator" if point.name in BUILT_IN else "suites use themselves"
        return f"is never used: the name is reserved, it is one {kind}"
    if not _NAME.fullmatch(point.name):
        return "cannot be named in suites: write lower-case letters, digits, _, . and -, beginning with a letter"
    if not _REFERENCE.fullmatch(point.value):
        return f"cannot be loaded: {clip(point.value, 80)!r} is not of the form module:attribute"
    return ""


def _conflict(offers: Sequence[Plugin]) -> str:
    return f"is offered by {' and by '.join(f'{plugin.origin} ({plugin.reference})' for plugin in offers)}"
