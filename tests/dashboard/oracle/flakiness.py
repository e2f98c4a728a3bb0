"""What the page Flakiness ought to say, of all cases and of one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tests.dashboard import oracle
from tests.dashboard.oracle import Run, decided, status
from tests.dashboard.oracle.said import Said, Seen
from tests.dashboard.oracle.words import (
    count,
    dotted,
    joined,
    ms,
    of,
    rate,
    shares,
    usd,
)


def flakiness(seen: Seen) -> Said:
    run = seen.run
    history = [other for other in seen.folder.of(run.head["agent"]) if other.head["suite"]["name"] == run.head["suite"]["name"]]
    moves = oracle.flips(history)
    said = _repeats(run) if run.again else _of_runs(moves, len(history))
    flipped = [found for found in moves if found.flips]
    steady = sum(1 for found in moves if found.transitions and not found.flips)
    total, moved = sum(found.transitions for found in moves), sum(found.flips for found in moves)
    said.append(("A transition", f"{of(moved, total, 'transition')} over {count(len(history), 'run')} flipped"))
    for found in flipped:
        same = f"{of(found.same_flips, found.same)} at the same code" if found.same else ""
        said.append((found.case_id, dotted([f"{of(found.flips, found.transitions, 'transition')}", same])))
    said.append(("never flipped", f"{count(steady, 'case')} never"))
    held = [found for found in run.cases if found.get("quarantine")]
    if held:
        said.append(("overdue", f"{count(len(held), 'case')}, 0 overdue"))
    for found in held:
        past = next(move for move in moves if move.case_id == found["case_id"])
        said.append((found["case_id"], f"passed in {of(past.passed, past.decided, 'run')}"))
    return said


def _of_runs(moves: Sequence[oracle.Flips], runs: int) -> Said:
    known, flipped = [found for found in moves if found.transitions], [found for found in moves if found.flips]
    if not flipped:
        return [("No flips", f"{count(len(known), 'case')} ended the same way in each of {count(runs, 'run')} that")]
    names = joined([f"~ ({of(found.flips, found.transitions)})" for found in flipped])
    return [("flipped between", f"{of(len(flipped), len(known), 'case')} flipped over {count(runs, 'run')}: {names}")]


def _repeats(run: Run) -> Said:
    found = oracle.steadiness(run)
    kinds = Counter(item.word for item in found)
    shaky = len(found) - kinds["stable"]
    attempts = 1 + max(len(more) for more in run.again.values())
    listed = ", ".join(f"{kinds[name]} {name}" for name in ("unstable", "flaky", "stable") if kinds[name])
    first = f"{of(shaky, len(found), 'repeated case')} not steady ({listed})" if shaky else of(len(found), len(found), "repeated case")
    hat, at = oracle.curve(run, every=True), oracle.curve(run, every=False)
    said: Said = [("teady", first), ("attempts a case", count(attempts, "attempt"))]
    words = [
        f"n {count(hat[0].cases, 'case')}",
        f"one attempt passes: {rate(hat[0].value)}, {shares(hat[0].low, hat[0].high)}",
        f"pass^{hat[-1].k}, all of {count(hat[-1].k, 'attempt')}: {rate(hat[-1].value)}, {shares(hat[-1].low, hat[-1].high)}",
        f"pass@{at[-1].k}, at least one does: {rate(at[-1].value)}, {shares(at[-1].low, at[-1].high)}",
        *([", ".join(f"{point.short} at k {point.k}" for point in hat if point.short)]),
    ]
    said.append(("one attempt passes", dotted(words)))
    several = [item for item in found if len(item.answers) > 1]
    if several:
        said.append(("answered in more than one way", count(len(several), "case")))
    for item in several:
        top = len(item.answers[0])
        most = f"{of(top, item.total)} ({rate(top / item.total)})" if top > 1 else ""
        said.append((item.case_id, dotted([f"{of(item.passed, item.total)} passed", f"{len(item.answers)} kinds", most])))
    numbered = [item for item in found if item.by_number]
    several_numbers = [item for item in numbered if len({oracle.number_read(a) for a in run.attempts(item.case_id) if decided(a)}) > 1]
    if several_numbers:
        said.append(("numbers gave", of(len(several_numbers), len(numbered), "case")))
    elif numbered:
        said.append(("hold numbers", count(len(numbered), "case")))
    return said


def flaky_case(seen: Seen, case_id: str) -> Said:
    """The page of one repeated case."""
    run = seen.run
    history = [other for other in seen.folder.of(run.head["agent"]) if other.head["suite"]["name"] == run.head["suite"]["name"]]
    past = next(found for found in oracle.flips(history) if found.case_id == case_id)
    item = next(found for found in oracle.steadiness(run) if found.case_id == case_id)
    attempts = run.attempts(case_id)
    undecided = f"; {count(item.errors, 'attempt')} ended undecided" if item.errors else ""
    first = f"passed {of(item.passed, item.total, 'decided attempt')} ({rate(item.passed / item.total)}){undecided}"
    said: Said = [("flipped in", f"{first}; flipped in {of(past.flips, past.transitions, 'transition')}")]
    if item.by_number:
        numbers = sorted({oracle.number_read(a) or 0.0 for a in attempts if decided(a)})
        groups = [[a for a in attempts if decided(a) and oracle.number_read(a) == number] for number in numbers]
        best = max(groups, key=len)
        said.append(("agree", f"{of(len(best), item.total)} answers agree on the number {oracle.number_read(best[0]):g} (tolerance 0.01)"))
    for group in item.answers:
        verdicts = Counter(status(a) for a in attempts if a.get("repetition", 0) in group)
        told = ", ".join(f"{name} {verdicts[name]}" for name in ("passed", "failed") if verdicts[name])
        noun = "attempt" if len(group) == 1 else "attempts"
        said.append(
            (noun, f"{of(len(group), item.total)} ({rate(len(group) / item.total)}) · {noun} {', '.join(map(str, group))} · {told}")
        )
    for attempt in attempts:
        said.append(("attempt", f"attempt {attempt.get('repetition', 0)} ✓"))
        used = oracle.tokens(attempt)
        facts = [
            ms(attempt.get("latency_ms")),
            usd(attempt["cost_usd"]) if "cost_usd" in attempt else "",
            count(used, "token") if used else "",
        ]
        said.append(("", dotted(facts)))
    return said
