"""What the page Case ought to say."""

from __future__ import annotations

from collections.abc import Sequence

from tests.dashboard import oracle
from tests.dashboard.oracle import Record, status
from tests.dashboard.oracle.said import Said, Seen
from tests.dashboard.oracle.words import (
    count,
    dotted,
    ms,
    of,
    rate,
    score,
    usd,
)


def case(seen: Seen, case_id: str, number: int) -> Said:
    run = seen.run
    attempts = run.attempts(case_id)
    shown = next(attempt for attempt in attempts if attempt.get("repetition", 0) == number)
    said: Said = [*_why(shown)]
    facts = [
        ms(shown["latency_ms"]) if shown.get("latency_ms") is not None else "",
        count(oracle.tokens(shown) or 0, "token") if oracle.tokens(shown) is not None else "",
        usd(shown["cost_usd"]) if shown.get("cost_usd") is not None else "",
    ]
    if any(facts):
        said.append(("", dotted(facts)))
    if len(attempts) > 1:
        said.append(("Attempts", f"{of(sum(status(a) == 'passed' for a in attempts), len(attempts))} passed"))
        said += [("", f"{a.get('repetition', 0)}") for a in attempts]
    past = [other for other in seen.folder.siblings(run) if any(c["case_id"] == case_id for c in other.cases)]
    if len(past) > 1:
        said.append(("History", count(len(past), "run")))
    said += _scores(shown) + _turns(shown) + _grounding(shown)
    good = next((a for a in attempts if status(a) == "passed"), None)
    if status(shown) != "passed" and good is not None:
        said.append(("Against attempt", f"attempt {good.get('repetition', 0)} of this run"))
    said += _trajectory(shown) + _steps(shown) + _costs(shown)
    return said + (_beside(shown, attempts) if len(attempts) > 1 else [])


def _why(shown: Record) -> Said:
    checks = [check for part in (shown, *shown.get("turns", ())) for check in part.get("scores", ()) if check.get("required", True)]
    own = [check for check in shown.get("scores", ()) if check.get("required", True)]
    if status(shown) == "passed":
        return [("Every required check held", f"({sum(bool(check.get('passed')) for check in checks)})")]
    bad = [place for place, turn in enumerate(shown.get("turns", ()), 1) if status(turn) != "passed"]
    if "error" not in shown and not any(check.get("error") or check.get("passed") is False for check in own) and bad:
        return [("not passed", f"{of(len(bad), len(shown['turns']), 'turn')} not passed: {', '.join(map(str, bad))}")]
    return []


def _scores(shown: Record) -> Said:
    made = [check for check in shown.get("scores", ()) if check.get("value") is not None]
    return [(check["name"], f"{score(check['value'])} {'passed' if check['passed'] else 'failed'}") for check in made]


def _turns(shown: Record) -> Said:
    said: Said = []
    for place, turn in enumerate(shown.get("turns", ()), 1):
        said.append(("turn", f"turn {place}"))
        said += [item for item in _scores(turn) if item[1].endswith("failed")]
        if turn.get("expects"):
            said.append(("turn", f"turn {place}"))
    return said


def _grounding(shown: Record) -> Said:
    passages, cited = shown.get("retrieved_context", ()), shown.get("citations", ())
    if not passages and not cited:
        return []
    return [
        ("passage", dotted([count(len(passages), "passage"), count(len(set(cited)), "citation")])),
        ("retrieved passage", count(len(passages), "retrieved passage")),
        *(("", f"{place}.") for place in range(1, len(passages) + 1)),
    ]


def common(a: Sequence[str], b: Sequence[str]) -> int:
    """Length of a longest common subsequence."""
    best = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, left in enumerate(a):
        for j, right in enumerate(b):
            best[i + 1][j + 1] = best[i][j] + 1 if left == right else max(best[i][j + 1], best[i + 1][j])
    return best[-1][-1]


def _trajectory(shown: Record) -> Said:
    check = oracle.fed(shown, "trajectory")
    wanted = check["evidence"]["expected"] if check else shown.get("expects", {}).get("expected_trajectory", [])
    came = check["evidence"]["actual"] if check else [call["name"] for call in shown.get("tool_calls", ())]
    if not wanted:
        return []
    same = common(wanted, came)
    f1 = 2 * same / (len(wanted) + len(came))
    return [("F1", f"{same} matched, {len(wanted) - same} missing, {len(came) - same} extra · {score(f1)}")]


def steps(shown: Record) -> list[Record]:
    """The attempt's steps, of a conversation those of its turns one after the other in time."""
    found: list[Record] = []
    clock = 0.0
    for turn in shown.get("turns", ()):
        end = clock
        for step in turn.get("steps", ()):
            found.append({**step, "timestamp_ms": clock + step["timestamp_ms"]})
            end = max(end, found[-1]["timestamp_ms"] + step["duration_ms"])
        clock = end
    return found or list(shown.get("steps", ()))


def _steps(shown: Record) -> Said:
    listed = steps(shown)
    if not listed:
        return []
    failed = [place for place, step in enumerate(listed, 1) if step.get("error")]
    told = count(len(listed), "step") + (f", {len(failed)} with an error" if failed else "")
    return [
        ("step", told),
        *(("error in step", f"step {place} {listed[place - 1]['name'].split('_')[0]}") for place in failed),
        ("Inputs and outputs", count(len(listed), "step")),
    ]


def _beside(shown: Record, attempts: Sequence[Record]) -> Said:
    number = shown.get("repetition", 0)
    others = [attempt for attempt in attempts if attempt is not shown]
    same = [other for other in others if _said(other) == _said(shown)]
    said: Said = [("others", f"against attempt {number}: {of(len(same), len(others), 'other')} answered the same")]
    calls = [call["name"] for call in shown.get("tool_calls", ())]
    for attempt in (shown, *others):
        said.append(("attempt", f"attempt {attempt.get('repetition', 0)}"))
        if attempt is not shown and _said(attempt) == _said(shown):
            said.append(("the same answer", f"attempt {number}"))
        if attempt is not shown and calls and [call["name"] for call in attempt.get("tool_calls", ())] == calls:
            said.append(("tool call", f"the same {count(len(calls), 'tool call')}"))
        facts = [
            ms(attempt.get("latency_ms")) if attempt.get("latency_ms") else "",
            usd(attempt["cost_usd"]) if attempt.get("cost_usd") else "",
        ]
        if any(facts):
            said.append(("", dotted(facts)))
    return said


def _said(attempt: Record) -> str:
    return str(attempt.get("output", ""))


def dear(shown: Record) -> list[tuple[int, str, str, float]]:
    """(place, kind, name, cost) of the steps that tell a cost; none of the rich folder's holds another one that does."""
    return [(place, step["kind"], step["name"], step["cost_usd"]) for place, step in enumerate(steps(shown), 1) if "cost_usd" in step]


def _costs(shown: Record) -> Said:
    found, total, whole = dear(shown), shown.get("cost_usd"), len(steps(shown))
    if not found:
        return []
    spent = usd(sum(cost for *_, cost in found))
    share = f"attributed to {of(len(found), whole, 'step')}"
    if total is None:
        return [("attributed", f"{spent} {share}")]
    more = sum(cost for *_, cost in found) > total * (1 + 1e-6)
    return [("attributed", f"{spent} {share}, more than the {usd(total)} of" if more else f"{spent} of {usd(total)} {share}")]


def cost_tables(shown: Record) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """By tool and model: name, cost, share, steps; by step: place, name, cost; the dearest first."""
    found = dear(shown)
    whole = max(shown.get("cost_usd") or 0.0, sum(cost for *_, cost in found))
    names = {(kind, name): [cost for _, k, n, cost in found if (k, n) == (kind, name)] for _, kind, name, _ in found}
    tools = sorted(names.items(), key=lambda item: -sum(item[1]))
    listed = sorted(found, key=lambda item: -item[3])
    return (
        [(name, usd(sum(costs)), rate(sum(costs) / whole), str(len(costs))) for (_, name), costs in tools],
        [(str(place), name, usd(cost)) for place, _, name, cost in listed],
    )


def transcript(shown: Record) -> Said:
    """The opened inputs and outputs of the steps."""
    listed = enumerate(steps(shown), 1)
    return [(step["name"], f"{place}. {step['name'].split('_')[0]} · {ms(step['duration_ms'])}") for place, step in listed]
