"""What the page Robustness ought to say and draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.dashboard.oracle.measures import Measure, measures
from tests.dashboard.oracle.said import Said, Seen, with_numbers
from tests.dashboard.oracle.stored import Record, Run, status
from tests.dashboard.oracle.words import count, left_out, of, rate, shares


def attacks(run: Run) -> list[Record]:
    """Adversarial cases, those that count in no rate too."""
    return [case for case in run.cases if case.get("source") == "adversarial"]


def counted(run: Run) -> list[Record]:
    return [case for case in attacks(run) if not case.get("role")]


def broken(cases: Sequence[Record]) -> Measure:
    return measures(cases)["Break rate"]


def strategy(case: Record) -> str:
    return str(case.get("mutation_type") or (case.get("metadata") or {}).get("strategy") or "(not named)")


def parent(case: Record) -> str:
    return str(case.get("parent_id") or "(no parent)")


def groups(run: Run, name: Any) -> list[tuple[str, Measure]]:
    """Groups with a decided case, the highest rate first, else in the order of the suite."""
    names = list(dict.fromkeys(map(name, counted(run))))
    rates = [(each, broken([case for case in counted(run) if name(case) == each])) for each in names]
    return sorted((pair for pair in rates if pair[1].n), key=lambda pair: -(pair[1].value or 0))


def robustness(seen: Seen) -> Said:
    run = seen.run
    total = broken(counted(run))
    hits = round((total.value or 0) * total.n)
    who = of(hits, total.n, "adversarial case") if hits else count(total.n, "adversarial case")
    ends = f"95% interval {shares(total.low or 0, total.high or 0)}"
    said: Said = [("broke the agent", f"{who}: {rate(total.value)}, {ends}")]
    fell = [case for case in counted(run) if status(case) == "failed"]
    by_mutation = [case for case in fell if _parent_passed(run, case)]
    if by_mutation:
        said.append(("Broken by the mutation", of(len(by_mutation), len(fell))))
    apart = len(attacks(run)) - len(counted(run))
    parts = [left_out(total.left_out), count(apart, "quarantined or candidate case") if apart else ""]
    said.append(("run ", " · ".join(parts)))
    said += _changes(seen)
    for name, words in ((strategy, "how the case was made"), (parent, "that it was made from")):
        lacking = len({name(case) for case in counted(run)}) - len(groups(run, name))
        said.append((words, f"{count(lacking, 'group')} without" if lacking else ""))
    said.append(("beside its parent", f"({len(attacks(run))})"))
    several = over_runs(seen)
    return with_numbers([*said, ("of this suite", count(len(several), "run") if len(several) > 1 else "")])


def _parent_passed(run: Run, case: Record) -> bool:
    return any(other["case_id"] == case.get("parent_id") and status(other) == "passed" for other in run.cases)


def _changes(seen: Seen) -> Said:
    if seen.then is None:
        return []
    before = {case["case_id"]: status(case) for case in seen.then.cases}
    moves = [(before.get(case["case_id"]), status(case)) for case in counted(seen.run)]
    numbers = {"now broken": moves.count(("passed", "failed")), "holds again": moves.count(("failed", "passed"))}
    return [("Against", " ".join(f"{number} {words}" for words, number in numbers.items() if number))]


def over_runs(seen: Seen) -> list[tuple[str, Measure]]:
    """Run and break rate of the stored runs of this suite and selection that have one, oldest first."""
    found = [(run.id, broken(counted(run))) for run in seen.folder.siblings(seen.run)]
    return [pair for pair in found if pair[1].n]


def arrays(found: Sequence[tuple[str, Measure]], axis: str) -> Mapping[str, Mapping[str, Any]]:
    """The marks of a figure of break rates along an axis, with the reach of their intervals."""
    values = [one.value for _, one in found]
    places = list(range(len(values)))
    reach = {
        "up": [(one.high or 0) - (one.value or 0) for _, one in found],
        "down": [(one.value or 0) - (one.low or 0) for _, one in found],
    }
    return {"break rate": {axis: values, "y" if axis == "x" else "x": places, **reach}}


def figures(seen: Seen) -> dict[str, Mapping[str, Mapping[str, Any]]]:
    named = {}
    for name, words in ((strategy, "by strategy"), (parent, "by parent")):
        found = groups(seen.run, name)
        named[f"Break rate {words} of {count(len(found), 'group')} of adversarial cases"] = arrays(found, "x")
    several = over_runs(seen)
    if len(several) > 1:
        named[f"Break rate of {count(len(several), 'run')}"] = arrays(several, "y")
    return named
