"""What the page Overview ought to say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tests.dashboard import oracle
from tests.dashboard.oracle import Delta, Run, status
from tests.dashboard.oracle.said import ERRORS, Said, Seen, notices, tally, word
from tests.dashboard.oracle.verdict import all_gates, gate_lines, sentence, why_counts_differ
from tests.dashboard.oracle.words import (
    count,
    dotted,
    left_out,
    rate,
    value,
)

_CARDS = ("Correctness", "Tool accuracy", "Hallucination", "Latency p95", "Cost / run", "Pass rate", "Trajectory F1", "Tokens / run")
_BAD = ("failed", *ERRORS)


def overview(seen: Seen, *, agents: bool) -> Said:
    """``agents``: the address names none, so that all of them are listed."""
    run, then = seen.run, seen.then
    said: Said = []
    if agents:
        newest = {other.head["agent"]: other for other in seen.folder.runs}
        said += [
            (name, f"correctness {oracle.measures(other.counted())['Correctness'].text} {tally(other)}") for name, other in newest.items()
        ]
    said += [("", sentence(run, then)), *gate_lines(run, then)]
    left = run.head["selection"]["left_out"]
    said.append(("run ", dotted([tally(run), f"{count(left, 'case')} left out by selection" if left else ""])))
    said += notices(seen.folder, run.head["agent"])
    said += _cards(seen)
    counts = Counter(case.get("role") or status(case) for case in run.cases)
    order = (*oracle.STATUSES, "candidate", "quarantined")
    said.append(("Outcomes", " ✓ ".join(str(counts[name]) for name in order if counts[name])))
    said.append(("passed", dotted(f"{counts[name]} {word(name)}" for name in oracle.STATUSES if counts[name])))
    return said + (_changed(run, then) if then is not None else _quarantined(run))


def _cards(seen: Seen) -> Said:
    run = seen.run
    held = oracle.measures(run.counted())
    moves = oracle.deltas(run, seen.then) if seen.then else {}
    before = [other for other in seen.folder.siblings(run) if other.head["started_at"] <= run.head["started_at"]]
    series = {name: sum(oracle.measures(other.counted())[name].value is not None for other in before) for name in held}
    measured = [name for name in held if held[name].value is not None]
    first = [name for name in _CARDS if name in measured][:5]
    said: Said = []
    for name in first:
        told = [
            value(held[name].value, held[name].unit),
            f"{moves[name].text} {moves[name].word}" if name in moves else "",
            held[name].evidence,
        ]
        runs = count(series[name], "run") if series[name] > 1 else ""
        said.append((name, dotted([*told, left_out(held[name].left_out), runs])))
    rest = [dotted([held[name].text, _moved(moves.get(name))]) for name in measured if name not in first]
    curve = oracle.curve(run, every=True)
    if len(curve) > 1:
        rest.append(f"pass^{curve[-1].k} {rate(curve[-1].value)} · n {count(curve[-1].cases, 'case')}")
    if seen.then is not None:
        both = sum(pair.both for pair in oracle.pairs(run, seen.then))
        rest.append(f"changes over the {count(both, 'case')} that both runs decided")
    return [*said, (measured[-1] if len(measured) > 5 else "", dotted(rest))]


def _moved(found: Delta | None) -> str:
    return "" if found is None or found.word == "same" else f"{found.text} {found.word}"


def _changed(run: Run, then: Run) -> Said:
    both = oracle.pairs(run, then)
    said: Said = why_counts_differ(run, then)
    lost = without_verdict(both)
    if lost and not moved(run, then):
        said.append(("No case got better", count(lost, "case")))
    still = [pair for pair in both if not pair.edited and status(pair.now) in _BAD and _unchanged(pair)]
    candidates = [case for case in run.cases if case.get("role") == "candidate"]
    absent = oracle.gone(run, then) if run.head["selection"]["filter"] else []
    for title, number in (
        ("No verdict now", lost),
        ("Still failing", len(still)),
        ("Changed definition", sum(pair.edited for pair in both)),
        ("Candidates", len(candidates)),
        ("Not selected", len(absent)),
    ):
        if number:
            said.append((title, f"({number})"))
    return said + _quarantined(run) + all_gates(run, then)


def without_verdict(both: Sequence[oracle.Pair]) -> int:
    """Cases that ended otherwise in the baseline and have no verdict now, new errors apart."""
    undecided = [pair for pair in both if not pair.edited and status(pair.now) not in ("passed", "failed")]
    return sum(status(p.now) != status(p.then) and not (status(p.now) in ERRORS and status(p.then) not in ERRORS) for p in undecided)


def moved(run: Run, then: Run) -> bool:
    """Whether a case with an unchanged definition got better or worse, is new, or is gone."""
    both = [pair for pair in oracle.pairs(run, then) if not pair.edited]
    gone = oracle.gone(run, then) if not run.head["selection"]["filter"] else []
    turned = any(pair.both and status(pair.now) != status(pair.then) for pair in both)
    broke = any(status(pair.now) in ERRORS and status(pair.then) not in ERRORS for pair in both)
    rose = any(status(pair.now) == "passed" != status(pair.then) for pair in both)
    return bool(turned or broke or rose or gone or oracle.new(run, then))


def _unchanged(pair: oracle.Pair) -> bool:
    return pair.both and status(pair.then) == status(pair.now)


def _quarantined(run: Run) -> Said:
    number = sum(case.get("role") == "quarantined" for case in run.cases)
    return [("Quarantined", f"({number})")] if number else []
