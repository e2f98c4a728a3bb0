"""Pinned runs: whole copies of run files, sidecar beside them as ``<name>.flakiness.json``, to be versioned with the project."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from agenteval._files import atomic_write, dumps
from agenteval.artifacts.paths import baseline_path
from agenteval.artifacts.reading import find_sidecar, load_head, load_run
from agenteval.artifacts.source import open_source
from agenteval.artifacts.store import StoredHead, Unreadable
from agenteval.artifacts.writing import write_run, write_sidecar
from agenteval.errors import HarnessError, InputError, Problem
from agenteval.model.record import to_record
from agenteval.model.run import Run, SuiteRef
from agenteval.model.status import RunStatus

if TYPE_CHECKING:
    from agenteval.suites.registry import Registry


def set_baseline(run: Run, path: Path, *, force: bool = False, flag: str = "RUN") -> None:
    """Pin a stored run: copy its file, and its sidecar beside it.

    A file of AgentEval 0.3 is pinned in the present format, redacted.

    Raises:
        InputError: Only part of the suite ran, or the run is not completed, and ``force`` is off.
        HarnessError: The disk refused; the old baseline is intact.
    """
    problems = unfit(run)
    if problems and not force:
        raise InputError(Problem(what, "run the whole suite, or pin it all the same with --force", file=flag) for what in problems)
    sidecar = find_sidecar(run.path) if run.path is not None else None
    beside = path.with_name(f"{path.stem}.flakiness.json")
    if run.path is not None and run.path.absolute() == path.absolute():
        return
    if run.path is not None and run.head.legacy is None:
        atomic_write(path, [open_source(run.path).whole()])
    else:
        lines = (dumps(to_record(attempt)) for attempt in run.cases)
        write_run(path, run.head, run.provenance, run.outcomes, run.left_out, lines, overwrite=True)
    if sidecar is not None and run.head.legacy is None:
        atomic_write(beside, [open_source(sidecar).whole()])
    elif run.repetitions:
        _write_legacy_sidecar(run, sidecar, beside)
    else:
        _remove(beside)


def unfit(run: Run) -> list[str]:
    """Why a run is no baseline without force: it left cases out, or did not complete."""
    head = run.head
    problems = []
    if head.selection.partial:
        problems.append(f"run {head.run_id} left out {head.selection.left_out} of the suite's cases")
    if head.status is not RunStatus.COMPLETED:
        problems.append(f"run {head.run_id} is {head.status.value}, not completed")
    return problems


def find_baseline(baselines_dir: Path, agent: str, suite_name: str, *, golden: bool, configured: Path | None = None) -> Run | None:
    """The pinned run of a suite, None where there is none.

    Args:
        golden: The suite is the agent's golden one, whose baseline is ``<agent>.json`` (or ``configured``, from agents.yaml).

    Raises:
        InputError: The file is there and can't be read.
    """
    path = configured if golden and configured is not None else baseline_path(baselines_dir, agent, suite_name, golden)
    return load_run(path) if path.is_file() else None


def list_baselines(baselines_dir: Path, configured: Iterable[Path] = ()) -> tuple[list[StoredHead], list[Unreadable]]:
    """Pinned runs by file name, those ``configured`` elsewhere behind, and the files that can't be read."""
    found: list[StoredHead] = []
    unreadable: list[Unreadable] = []
    elsewhere = [path for path in configured if path.is_file()]
    for path in dict.fromkeys([*sorted(baselines_dir.glob("*.json")), *elsewhere]):
        if path.name.endswith(".flakiness.json"):
            continue
        try:
            found.append(StoredHead(load_head(path), str(path)))
        except InputError as error:
            unreadable.append(Unreadable(path, error.problems[0].what))
    return found, unreadable


def _write_legacy_sidecar(run: Run, sidecar: Path | None, beside: Path) -> None:
    from agenteval.artifacts.reading import load_sidecar

    if sidecar is not None:
        stored = load_sidecar(sidecar)
        lines = (dumps(to_record(attempt)) for attempt in stored.attempts)
        write_sidecar(beside, stored.run_id, stored.agent, stored.k, stored.cases, lines)


def _remove(path: Path) -> None:
    """An older baseline's sidecar must not stand beside the new one."""
    try:
        with suppress(FileNotFoundError):
            path.unlink()
    except OSError as error:
        raise HarnessError(f"{path}: cannot be removed: {error.strerror or error}") from error


def baseline_target(agent: str, suite: SuiteRef, registry: Registry, cwd: Path) -> Path:
    """Where a run is pinned: its agent's configured baseline or ``<agent>.json`` for the golden suite, else a file of its suite's own."""
    config = registry.agents.get(agent)
    golden = config is not None and _is_golden(suite, config.golden_suite, registry.root, cwd)
    if golden and config is not None and config.baseline is not None:
        return config.baseline
    return baseline_path(registry.root / "baselines", agent, suite.name, golden or not suite.name)


def baseline_source(agent: str, suite: SuiteRef, registry: Registry, cwd: Path) -> Path:
    """Where a run's baseline is read: where it would be pinned, else ``<agent>.json`` where no agents.yaml names the agent and its suite is
    the run's."""
    target = baseline_target(agent, suite, registry, cwd)
    plain = baseline_path(registry.root / "baselines", agent, suite.name, True)
    if target.is_file() or registry.agents.get(agent) is not None or plain == target or not plain.is_file():
        return target
    try:
        return plain if load_head(plain).suite.name == suite.name else target
    except InputError:
        return plain  # it is named as unreadable by whoever opens it


def _is_golden(suite: SuiteRef, golden_suite: Path | None, root: Path, cwd: Path) -> bool:
    """An agent without a golden suite, or a run that recorded no suite, has one suite: the golden one."""
    if golden_suite is None or suite.path is None:
        return True
    return golden_suite.resolve() in {(folder / suite.path).resolve() for folder in (root, cwd)}
