"""A calibration from beginning to end: read the set, get the verdicts, measure, store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agenteval import _time
from agenteval._text import clip, nearest
from agenteval.artifacts.calibrations import write_calibration
from agenteval.calibration.asking import Asked, ask_all, recorded
from agenteval.calibration.golden_set import GoldenSet, read_golden_set
from agenteval.calibration.measuring import measured
from agenteval.errors import InputError, Problem
from agenteval.llm.settings import ModelSettings
from agenteval.model.calibration import DEFAULT_THRESHOLD, Calibration, JudgedItem, Kind
from agenteval.runner.judges import judge_provenance, judge_settings, make_judge
from agenteval.runner.workspace import Workspace

Progress = Callable[[int, int], None]
"""Called with the number of items judged, and of all."""


@dataclass(frozen=True, slots=True)
class CalibrationRequest:
    """What to set against people.

    Attributes:
        judge: The agent whose judge is asked; with ``recorded``, the name under which the verdicts are kept.
        golden_set: The set's file, as the user named it.
        scale: What the judge is asked for, ``binary`` or ``1-10``; None: what people gave.
        recorded: Take the verdicts of the file; ask nobody.
    """

    judge: str
    golden_set: str
    threshold: float = DEFAULT_THRESHOLD
    scale: str | None = None
    recorded: bool = False
    concurrency: int = 4
    runs_dir: str | None = None


def calibrate(workspace: Workspace, request: CalibrationRequest, progress: Progress = lambda done, total: None) -> Calibration:
    """Judge the set, compare with people and store the result in the judge's folder; its path is relative to the working directory.

    Raises:
        InputError: The set, agents.yaml or the judge's name is wrong, or no judge is configured.
        HarnessError: The disk refused.
    """
    golden = read_golden_set(workspace.cwd / request.golden_set, request.golden_set)
    if request.scale is not None and golden.kind is not Kind.BINARY and (golden.kind is Kind.PAIRS or request.scale == "binary"):
        given = "which of two answers is better" if golden.kind is Kind.PAIRS else "marks from 1 to 10"
        raise InputError(Problem(f"{request.scale} does not go with a set in which people said {given}", "leave it out", file="--scale"))
    runs_dir = _runs_dir(workspace, request)
    if request.recorded:
        if all(item.recorded is None for item in golden.items):
            raise InputError(Problem("no item has a judge_label", "leave out --recorded to ask the judge", file=golden.shown))
        items, known = [recorded(item) for item in golden.items], {"recorded": True}
    else:
        items, known = _asked(workspace, request, golden, runs_dir, progress)
    timestamp = _time.iso(_time.now())
    golden = replace(golden, shown=_kept_name(workspace.cwd / request.golden_set, workspace.root))
    calibration = measured(request.judge, golden, items, timestamp=timestamp, threshold=request.threshold, **known)
    stored = write_calibration(runs_dir, calibration)
    assert stored.path is not None
    return replace(stored, path=workspace.shown(stored.path))


def _kept_name(path: Path, root: Path) -> str:
    """The set's path as it is stored: relative to the project, and nothing of the machine where it lies elsewhere."""
    path = path.resolve()
    return path.relative_to(root.resolve()).as_posix() if path.is_relative_to(root.resolve()) else path.name


def _runs_dir(workspace: Workspace, request: CalibrationRequest) -> Path:
    """Where a run of that agent would be stored too."""
    if request.runs_dir is not None:
        return workspace.cwd / request.runs_dir
    config = workspace.config(request.judge)
    return config.runs_dir if config is not None and config.runs_dir is not None else workspace.root / "runs"


def _asked(
    workspace: Workspace, request: CalibrationRequest, golden: GoldenSet, runs_dir: Path, progress: Progress
) -> tuple[list[JudgedItem], dict[str, Any]]:
    settings = _settings(workspace, request.judge)
    judge = make_judge(settings, runs_dir)
    assert judge is not None
    try:
        items, cost = ask(judge, golden, marks=request.scale == "1-10", concurrency=request.concurrency, progress=progress)
    finally:
        judge.client.close()
    asked = judge_provenance(settings) or {}
    return items, {**{name: asked.get(name) for name in ("model", "prompt_version", "settings")}, "cost_usd": cost}


def _settings(workspace: Workspace, name: str) -> ModelSettings:
    """The settings of an agent's judge; without an ``agents.yaml`` those of the environment.

    Raises:
        InputError: An unknown or disabled agent, or no judge is configured.
    """
    registry = workspace.registry
    if registry.path is None:
        config = None
    else:
        config = registry.agents.get(name)
        if config is None:
            close = nearest(name, registry.agents)
            fix = f"did you mean {close!r}?" if close else f"known: {', '.join(registry.agents)}"
            raise InputError(Problem(f"no agent {clip(name, 60)!r} in {registry.shown}", fix, file="--judge"))
        if not config.enabled:
            raise InputError(Problem(f"agent {name!r} is disabled", f"set enabled: true in {registry.shown}", file="--judge"))
    settings = judge_settings({} if config is None else config.judge)
    if settings is None:
        where = f"name its model under `judge:` of agent {name!r} in {registry.shown}, or " if config is not None else ""
        raise InputError(Problem(f"no judge configured for {clip(name, 60)!r}", f"{where}set AGENTEVAL_JUDGE_MODEL", file="--judge"))
    return settings


def ask(
    judge: Asked, golden: GoldenSet, *, marks: bool = False, concurrency: int = 4, progress: Progress = lambda done, total: None
) -> tuple[list[JudgedItem], float | None]:
    """The judge's verdict on every item, and what they cost in USD; None where one of them has no price."""
    items: list[JudgedItem] = []
    cost: float | None = 0.0
    for item, spent in ask_all(judge, golden.items, marks=marks, concurrency=concurrency):
        items.append(item)
        cost = None if cost is None or spent is None else cost + spent
        progress(len(items), len(golden.items))
    return items, cost
