"""Lists of stored runs, ledgers and baselines, and one run in detail, as plain text and as JSON."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agenteval import _format
from agenteval._files import dumps
from agenteval._text import clip, nearest, plain
from agenteval.artifacts.codec import head_to_json, outcomes_to_json
from agenteval.artifacts.history import LedgerEntry
from agenteval.artifacts.pruning import Pruning
from agenteval.artifacts.store import Listing, OpenRun, StoredHead, Unreadable
from agenteval.artifacts.verify import Checked
from agenteval.errors import InputError, Problem
from agenteval.model.attempt import Attempt
from agenteval.model.record import to_record
from agenteval.model.run import Run, RunHead
from agenteval.reports.console import WORDS, counts_line, gate_lines, metric_lines, unpassed_lines

_COLUMNS = ("RUN", "AGENT", "SUITE", "STATUS", "PASSED", "CORRECTNESS", "LATENCY P50", "COST", "VERDICT", "LABEL")


def listing_text(listing: Listing, limit: int, roots: Sequence[Path]) -> str:
    """Runs newest first, then what is not finished, then what can't be read."""
    newest = list(reversed(listing.runs))[:limit]
    lines = table([_COLUMNS, *(_row(item.head) for item in newest)]) if newest else [f"no runs in {', '.join(map(str, roots))}"]
    if len(listing.runs) > limit:
        lines.append(f"{len(listing.runs) - limit:,} older: --limit {len(listing.runs)} shows all")
    return "\n".join([*lines, *map(_open_line, listing.running), *unreadable_lines(listing.unreadable)])


def baselines_text(listing: Listing) -> str:
    """Pinned runs with their files, then what can't be read."""
    rows = [(str(item.path), *_row(item.head)) for item in listing.runs]
    lines = table([("FILE", *_COLUMNS), *rows]) if rows else ["no baselines; pin a run with `agenteval baseline set latest`"]
    return "\n".join([*lines, *unreadable_lines(listing.unreadable)])


def listing_json(listing: Listing) -> str:
    """The whole listing as one JSON object, oldest run first."""
    return _json(
        {
            "runs": [{"path": str(item.path), **head_to_json(item.head)} for item in listing.runs],
            "running": [{"path": str(item.path), "done": item.done, **head_to_json(item.head)} for item in listing.running],
            "unreadable": [{"path": str(item.path), "reason": item.reason} for item in listing.unreadable],
        }
    )


def history_text(entries: Sequence[LedgerEntry], limit: int) -> str:
    """Ledger entries, oldest first."""
    if not entries:
        return "no history; `agenteval run` writes it"
    lines = table([_COLUMNS, *(_row(entry.head) for entry in entries[-limit:])])
    if len(entries) > limit:
        lines.append(f"{len(entries) - limit:,} older: --limit {len(entries)} shows all")
    return "\n".join(lines)


def history_json(entries: Sequence[LedgerEntry], limit: int) -> str:
    """Ledger entries as a JSON list, oldest first."""
    return _json([{"file": entry.file, **head_to_json(entry.head)} for entry in entries[-limit:]])


def detail_text(run: Run) -> str:
    """One run: what it was, how its cases ended, measures, gates, verdict, provenance."""
    head = run.head
    parts: list[Sequence[str]] = [_title_lines(run), metric_lines(head.metrics, ()), unpassed_lines(run)]
    if head.gate is not None:
        parts.append([*gate_lines(head.gate.gates), f"{WORDS[head.gate.outcome]}  {plain(head.gate.sentence)}"])
    parts.append(_provenance_lines(run))
    return "\n\n".join("\n".join(part) for part in parts if part)


def detail_json(run: Run) -> str:
    """One run without its cases' evidence as one JSON object."""
    return _json(
        {
            "path": None if run.path is None else str(run.path),
            "head": head_to_json(run.head),
            "provenance": run.provenance,
            "outcomes": outcomes_to_json(run.outcomes, run.left_out),
        }
    )


def find_case(run: Run, case_id: str) -> Attempt:
    """The primary attempt of a case.

    Raises:
        InputError: The run has no such case; the nearest is named.
    """
    attempt = run.case(case_id)
    if attempt is not None:
        return attempt
    what = f"no case {clip(case_id, 80)!r} in run {run.head.run_id}"
    close = nearest(case_id, [outcome.case_id for outcome in run.outcomes])
    fix = "the run left it out" if case_id in run.left_out else f"did you mean {close!r}?" if close else "`agenteval runs show` lists them"
    raise InputError(Problem(what, fix, file="--case-id"))


def attempt_text(attempt: Attempt) -> str:
    """One case: verdict, question, answer, checks, calls."""
    facts = [_format.ms(attempt.latency_ms), _format.tokens(attempt.tokens), _format.usd(attempt.cost_usd)]
    lines = [f"{plain(attempt.case_id)}  {attempt.status.value}  {' · '.join(facts)}"]
    if attempt.error is not None:
        lines.append(f"error: {plain(attempt.error.type)}: {plain(attempt.error.message)}")
    lines += ["prompt:", *_indented(attempt.prompt), "answer:", *_indented(attempt.output)]
    for score in attempt.scores:
        word = "error" if score.error else {True: "passed", False: "failed", None: "observed"}[score.passed]
        optional = "" if score.required else " (not required)"
        lines.append(f"  {word:<9} {plain(score.name)}{optional}  {plain(score.error or score.reason)}".rstrip())
    if attempt.tool_calls:
        lines.append("tools: " + ", ".join(plain(call.name) for call in attempt.tool_calls))
    lines += [f"note: {plain(note)}" for note in attempt.notes]
    return "\n".join(lines)


def attempt_json(attempt: Attempt) -> str:
    """One case with all its evidence, as stored."""
    return _json(to_record(attempt))


def findings_text(checked: Sequence[Checked]) -> str:
    """Every finding, then how many files were checked."""
    lines = [plain(finding) for item in checked for finding in item.findings]
    bad = sum(bool(item.findings) for item in checked)
    unrecorded = sum(not item.recorded and not item.findings for item in checked)
    written = len(checked) - bad - unrecorded
    parts = [
        f"{_format.count(written, 'file')} as written" if written else "",
        f"{_format.count(bad, 'file')} with findings" if bad else "",
        f"{_format.count(unrecorded, 'file')} of AgentEval 0.3, which record no digest" if unrecorded else "",
    ]
    return "\n".join([*lines, "; ".join(filter(None, parts)) or "no files"])


def findings_json(checked: Sequence[Checked]) -> str:
    """Files with their findings as a JSON list."""
    return _json(
        [
            {"path": str(item.path), "ok": not item.findings and item.recorded, "recorded": item.recorded, "findings": list(item.findings)}
            for item in checked
        ]
    )


def pruning_text(plan: Pruning, *, done: bool) -> str:
    """What was or would be removed, and what stays although it was asked for."""
    word = "removed" if done else "would remove"
    lines = [f"{word} {item.path}" for item in plan.removed]
    lines += [f"kept {item.path}: {reason}" for item, reason in plan.protected]
    total = _format.count(len(plan.removed), "run")
    lines.append(f"{total} removed" if done else f"{total} to remove; --yes removes {'it' if len(plan.removed) == 1 else 'them'}")
    return "\n".join(lines) if plan.removed or plan.protected else "nothing to remove"


def pruning_json(plan: Pruning, *, done: bool) -> str:
    """The pruning as one JSON object."""
    protected = [{"run_id": item.head.run_id, "path": str(item.path), "reason": reason} for item, reason in plan.protected]
    return _json({"removed": done, "runs": [_named(item) for item in plan.removed], "kept": protected})


def unreadable_lines(files: Sequence[Unreadable]) -> list[str]:
    """One line a file that can't be read, with the reason."""
    return [f"unreadable: {plain(str(item.path))}: {plain(item.reason)}" for item in files]


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as aligned columns; columns that are empty below their title are left out."""
    cells = [[plain(cell) for cell in row] for row in rows]
    kept = [place for place in range(len(cells[0])) if any(row[place] for row in cells[1:])]
    widths = {place: max(len(row[place]) for row in cells) for place in kept}
    return ["  ".join(row[place].ljust(widths[place]) for place in kept).rstrip() for row in cells]


def _row(head: RunHead) -> tuple[str, ...]:
    passed = head.counts.get("passed", 0)
    decided = passed + head.counts.get("failed", 0)
    total = sum(head.counts.values())
    return (
        head.run_id,
        clip(head.agent, 24),
        clip(head.suite.name, 24),
        head.status.value,
        _passed(passed, decided, total),
        _metric(head, "correctness_rate"),
        _metric(head, "latency_p50_ms"),
        _metric(head, "total_cost_usd"),
        WORDS[head.gate.outcome] if head.gate else "",
        clip(head.label or "", 24),
    )


def _passed(passed: int, decided: int, total: int) -> str:
    if not total:
        return ""
    undecided = f" (+{total - decided})" if total > decided else ""
    return f"{passed}/{decided}{undecided}"


def _metric(head: RunHead, name: str) -> str:
    measure = head.metrics.get(name)
    return "" if measure is None or measure.value is None else _format.value(measure.value, measure.unit)


def _open_line(item: OpenRun) -> str:
    hint = "; `agenteval run ... --resume` goes on"
    if item.head.parameters.get("rescored"):
        hint = f"; `agenteval rescore {shlex.quote(plain(str(item.head.parent)))}` judges again"
    hint = "" if item.head.status.value == "running" else hint
    done = _format.count(item.done, "attempt")
    return f"{item.head.status.value}: {item.head.run_id} {plain(item.head.agent)} {plain(item.head.suite.name)}, {done} done{hint}"


def _title_lines(run: Run) -> list[str]:
    head = run.head
    took = f" in {_format.seconds(head.duration_s)}" if head.duration_s is not None else ""
    lines = [
        f"run {head.run_id}  {plain(head.suite.name)}  {plain(head.agent)}  {head.status.value}".replace("    ", "  "),
        f"started {head.started_at}{took}; {counts_line(head.counts)}",
    ]
    if head.selection.partial:
        lines.append(f"left out {_format.count(head.selection.left_out, 'case')}: {plain(dumps(head.selection.filter).decode())}")
    if head.label:
        lines.append(f"label: {plain(head.label)}")
    if head.legacy:
        lines.append(f"format: {head.legacy}")
    return lines


def _provenance_lines(run: Run) -> list[str]:
    lines = [f"file: {plain(str(run.path))}"] if run.path is not None else []
    for name, value in run.provenance.items():
        if value not in (None, {}, [], ""):
            text = value if isinstance(value, str) else dumps(value).decode()
            lines.append(f"{plain(name)}: {plain(clip(text, 200))}")
    return lines


def _indented(text: str) -> list[str]:
    return [f"  {line}" for line in plain(text).splitlines()] or ["  (empty)"]


def _named(item: StoredHead) -> dict[str, str]:
    return {"run_id": item.head.run_id, "path": str(item.path)}


def _json(value: Any) -> str:
    return dumps(value).decode()
