"""What the page Runs ought to say."""

from __future__ import annotations

import itertools
from typing import Any

from tests.dashboard import oracle
from tests.dashboard.oracle import Folder, Record, Run
from tests.dashboard.oracle.case import dear, steps
from tests.dashboard.oracle.said import Said, Seen, notices, tally
from tests.dashboard.oracle.verdict import sentence
from tests.dashboard.oracle.words import (
    count,
    dotted,
    left_out,
    ms,
    of,
    rate,
    usd,
    value,
)
from tests.dashboard.rich_folder import AGENT


def runs(seen: Seen) -> Said:
    folder, run = seen.folder, seen.run
    stored = {item.id for item in folder.runs}
    gone = [head for heads in folder.ledger.values() for head in heads if head["run_id"] not in stored]
    whole = len(folder.runs) + len(gone) + len(folder.open)
    agents = len({item.head["agent"] for item in folder.runs})
    alive = sum(head["agent"] == AGENT for head, _ in folder.open)
    said: Said = [
        ("every file", f"{count(len(folder.runs), 'run')} of {count(agents, 'agent')} in {count(1, 'place')}"),
        (
            "Newest",
            dotted(
                [
                    f"{count(alive, 'run')} still",
                    f"{count(len(folder.open) - alive, 'run')} crashed",
                    f"{count(len(gone), 'older run')} known",
                ]
            ),
        ),
        ("runs", count(len(folder.runs), "run")),
        ("shown, newest first", f"{of(whole, whole, 'run')} shown"),
        ("Verify", count(len(folder.runs), "file")),
        *notices(folder),
    ]
    if run.again:
        said.append(("Flakiness of", count(len(run.repeated), "repeated case")))
    baseline = folder.baseline(run) if run.head["gate"]["baseline"] else None
    said.append(("", sentence(run, baseline)))
    said.append((run.head["status"], dotted([f"in {ms(run.head['duration_s'] * 1000)}", tally(run)])))
    roles = sum(bool(case.get("role")) for case in run.cases)
    rest = len(run.cases) - 25
    better = f"{count(rest, 'better one')} {'is' if rest == 1 else 'are'} not drawn" if rest > 0 else ""
    if better:
        said.append(("worst cases", "25 worst cases"))
    if roles or better:
        said.append(("The worst", f"{better}, ({roles})" if roles else better))
    times = [latency for case in run.counted() if (latency := oracle.latency(case)) is not None]
    late = len(run.counted()) - len(times)
    said.append(("share of calls", f"n {len(times)}" + (f", {count(late, 'case')} without" if late else "")))
    return [*said, ("make", _bill(run))]


def _bill(run: Run) -> str:
    spent = bill(run)
    half = next(place for place, (_, _, so_far) in enumerate(spent, 1) if so_far >= 0.5)
    unpriced = len(run.counted()) - len(spent)
    parts = [
        f"{usd(sum(cost for _, cost, _ in spent))} in all",
        f"n {len(spent)}",
        f"{count(unpriced, 'case')} unpriced" if unpriced else "",
    ]
    return ", ".join(filter(None, [*parts, f"{count(half, 'case')} {'makes' if half == 1 else 'make'} half"]))


def bill(run: Run) -> list[tuple[str, float, float]]:
    """(case, cost, share of the sum up to and with it), the dearest first, then by name."""
    known = [(case["case_id"], case["cost_usd"]) for case in run.counted() if case.get("cost_usd") is not None]
    known.sort(key=lambda item: (-item[1], item[0]))
    reached = itertools.accumulate(cost for _, cost in known)
    whole = sum(cost for _, cost in known)
    return [(case, cost, so_far / whole) for (case, cost), so_far in zip(known, reached, strict=True)]


def tags(run: Run) -> list[tuple[str, list[Record]]]:
    """Cases by tag, the lowest pass rate first."""
    groups: dict[str, list[Record]] = {}
    for item in run.counted():
        for tag in item.get("tags") or ("(no tag)",):
            groups.setdefault(tag, []).append(item)

    def rank(tag: str) -> tuple[float, bool, str]:
        passed = oracle.measures(groups[tag])["Pass rate"].value
        return (float("inf") if passed is None else passed, tag == "(no tag)", tag)

    return [(tag, groups[tag]) for tag in sorted(groups, key=rank)]


def tag_table(run: Run) -> list[dict[str, str]]:
    rows = []
    for tag, cases in tags(run):
        held = oracle.measures(cases)
        passed = held["Pass rate"]
        rows.append(
            {
                "tag": tag,
                "cases": str(len(cases)),
                "passed": dotted([rate(passed.value), passed.evidence]) if passed.n else "n/a",
                "left_out": left_out(passed.left_out).removesuffix(" left out"),
                "latency_p95_ms": ms(held["Latency p95"].value),
                "cost_usd": usd(held["Cost / run"].value),
                "tokens": value(held["Tokens / run"].value, "tokens"),
            }
        )
    return rows


def run_table(folder: Folder) -> list[tuple[str, ...]]:
    """run, verdict's word, correctness, cases, duration, cost, record; the newest first."""
    stored = {run.id for run in folder.runs}
    rows = [_run_row(run.head, run, "not verified") for run in folder.runs]
    for heads in folder.ledger.values():
        rows += [_run_row(head, None, "file gone, ledger only") for head in heads if head["run_id"] not in stored]
    for head, done in folder.open:
        rows.append(
            (
                head["run_id"],
                "none",
                "n/a",
                "0",
                "",
                "",
                f"{'▶ running' if head['agent'] == AGENT else '! crashed'}, {count(done, 'attempt')} done",
            )
        )
    return sorted(rows, reverse=True)


def _run_row(head: oracle.Mapping[str, Any], run: Run | None, record: str) -> tuple[str, ...]:
    if run is not None:
        held = oracle.measures(run.counted())
        right, cost, cases = held["Correctness"], held["Cost / run"].value, len(run.cases)
    else:
        known = head["metrics"]["correctness_rate"]
        right = oracle.Measure(known["value"], known["n"], "rate", "higher")
        cost, cases = head["metrics"]["total_cost_usd"]["value"], sum(head["counts"].values())
    counted = f"{rate(right.value)} · {round((right.value or 0) * right.n)} of {right.n}"
    return head["run_id"], head["gate"]["outcome"].upper(), counted, str(cases), f"{head['duration_s']:.1f} s", f"${cost:.4f}", record


def by_tool(run: Run) -> tuple[Said, dict[str, float]]:
    """What the opened costs by tool say, and the sums by name."""
    counted = run.counted()
    found = [step for item in counted for step in dear(item)]
    priced = [item["cost_usd"] for item in counted if item.get("cost_usd") is not None]
    spent, total, whole = sum(cost for *_, cost in found), sum(priced), sum(len(steps(item)) for item in counted)
    share = f"attributed to {of(len(found), whole, 'step')}"
    told = f"{usd(spent)} {share}, more than the {usd(total)} of" if spent > total * (1 + 1e-6) else f"{usd(spent)} of {usd(total)} {share}"
    unpriced = len(counted) - len(priced)
    known = f"n {count(len(priced), 'case')} with" + (f"; {count(unpriced, 'case')} unpriced" if unpriced else "")
    sums: dict[str, float] = {}
    for _, _, name, cost in found:
        sums[name] = sums.get(name, 0.0) + cost
    return [("attributed", told), ("with a known cost", known)], sums
