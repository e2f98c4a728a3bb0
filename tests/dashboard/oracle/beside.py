"""What the page Compare ought to say of one case in two runs."""

from __future__ import annotations

from collections.abc import Sequence

from tests.dashboard import oracle
from tests.dashboard.oracle import Record, status
from tests.dashboard.oracle.case import common, steps
from tests.dashboard.oracle.said import Said, Seen
from tests.dashboard.oracle.verdict import sentence
from tests.dashboard.oracle.words import dotted, of, percent_change, score, value

_BROKEN = ("agent_error", "evaluator_error")


def changed(seen: Seen) -> list[str]:
    """The cases that the page goes through, in its order."""
    run, then = seen.run, seen.then
    assert then is not None
    both = oracle.pairs(run, then)
    unedited = [pair for pair in both if not pair.edited]
    fell = [p.now["case_id"] for p in unedited if (status(p.then), status(p.now)) == ("passed", "failed")]
    broke = [p.now["case_id"] for p in unedited if status(p.now) in _BROKEN and status(p.then) not in _BROKEN]
    missing = [case["case_id"] for case in oracle.gone(run, then)] if not run.head["selection"]["filter"] else []
    rose = [p.now["case_id"] for p in unedited if status(p.now) == "passed" != status(p.then)]
    new = [case["case_id"] for case in oracle.new(run, then)]
    return [*fell, *broke, *missing, *rose, *new, *(pair.now["case_id"] for pair in both if pair.edited)]


def beside(seen: Seen, case_id: str) -> Said:
    assert seen.then is not None
    then, now = seen.then.case(case_id), seen.run.case(case_id)
    moved = changed(seen)
    said: Said = [("", sentence(seen.run, seen.then)), ("changed", f"{of(moved.index(case_id) + 1, len(moved))} changed")]
    if now.get("turns"):
        pairs = list(zip(then["turns"], now["turns"], strict=True))
        differing = [place for place, (a, b) in enumerate(pairs, 1) if (a["output"], status(a)) != (b["output"], status(b))]
        said.append(("differs in", of(len(differing), len(pairs), "turn")))
        said += [("turn", f"turn {place} ✓") for place in differing]
    said.append(("check", _checks(then, now)))
    facts = [
        _moved("ms", then.get("latency_ms"), now.get("latency_ms")),
        _moved("tokens", oracle.tokens(then), oracle.tokens(now)),
        _moved("usd", then.get("cost_usd"), now.get("cost_usd")),
    ]
    return [*said, ("→", dotted(facts)), *_steps(steps(then), steps(now))]


def _checks(then: Record, now: Record) -> str:
    """Values then and now, the checks first whose verdict changed."""
    before, after = ({check["name"]: check for check in case.get("scores", ())} for case in (then, now))
    names = list(dict.fromkeys([*after, *before]))
    words = {name: (_word(before.get(name)), _word(after.get(name))) for name in names}
    return " | ".join(" | ".join(words[name]) for name in sorted(names, key=lambda name: words[name][0] == words[name][1]))


def _word(check: Record | None) -> str:
    return score(check["value"]) if check and check.get("value") is not None else "none"


def _moved(unit: str, then: float | None, now: float | None) -> str:
    if then is None and now is None:
        return ""
    change = f" ({percent_change(now / then - 1)})" if then and now is not None else ""
    return f"{value(then, unit)} → {value(now, unit)}{change}"


def _steps(then: Sequence[Record], now: Sequence[Record]) -> Said:
    """Steps are the same where kind, name, what went in, what came out and the error are; changed where only kind and name are."""
    if not then and not now:
        return []
    a, b = ([f"{step['kind']}:{step['name']}" for step in listed] for listed in (then, now))
    kept = common(a, b)
    same = common(*([str([step.get(key) for key in ("kind", "name", "input", "output", "error")]) for step in s] for s in (then, now)))
    counts = {"only then": len(a) - kept, "only now": len(b) - kept, "changed": kept - same, "the same": same}
    told = ", ".join(f"{number} {word}" for word, number in counts.items() if number)
    return [("similarity", f"{told} · {score(2 * kept / (len(a) + len(b)))}")]
