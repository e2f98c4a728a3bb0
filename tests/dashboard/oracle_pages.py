"""What each page ought to say of a folder, number by number: (a word that stands beside, the numbers in their words)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tests.dashboard import oracle
from tests.dashboard.oracle import Change, Delta, Folder, Record, Run, decided, status
from tests.dashboard.oracle_words import (
    count,
    dotted,
    joined,
    left_out,
    ms,
    of,
    p_value,
    percent_change,
    points,
    points_interval,
    rate,
    score,
    shares,
    usd,
    value,
)
from tests.dashboard.rich_folder import AGENT

Said = list[tuple[str, str]]
"""A word that stands in a piece of the page, and a text with the numbers of that piece."""

_CARDS = ("Correctness", "Tool accuracy", "Hallucination", "Latency p95", "Cost / run", "Pass rate", "Trajectory F1", "Tokens / run")
_WORDS = {"agent_error": "agent error", "evaluator_error": "evaluator error", "not_selected": "not selected"}
_ERRORS = ("agent_error", "evaluator_error")
_BAD = ("failed", *_ERRORS)


@dataclass(frozen=True)
class Seen:
    """What a page was opened on."""

    folder: Folder
    run: Run
    then: Run | None


def word(name: str) -> str:
    return _WORDS.get(name, name)


def tally(run: Run) -> str:
    """``13 of 21 passed, 1 agent error``."""
    counts = Counter(map(status, run.counted()))
    parts = [f"{of(counts['passed'], len(run.counted()))} passed"]
    parts += [count(counts[name], word(name)) for name in _ERRORS if counts[name]]
    return ", ".join(parts + [f"{counts[name]} {name}" for name in ("skipped", "unscored") if counts[name]])


# The verdict ----------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Gate:
    name: str
    holds: bool | None
    message: str


def _by_cases(name: str, failing: Sequence[str], whole: int, what: str) -> Gate:
    return Gate(name, not failing, f"{name}: {of(len(failing), whole)} {what}{': ' + joined(failing, 5) if failing else ''}")


def gates(now: Run, then: Run | None) -> list[Gate]:
    """The default limits on this run, and against the baseline."""
    counted = now.counted()
    held = oracle.measures(counted)
    before = oracle.measures(then.counted()) if then else {}
    found = [Gate(name, None, f"{name}: not evaluated, no baseline") for name in ("max_correctness_drop", "fail_on_missing")]
    if then is not None:
        moved = oracle.change(now, then)
        drop = moved.then - moved.now
        told = f"correctness_rate {rate(float(moved.now))}, {points(-float(drop))} over {count(len(moved.shares), 'case')}"
        tail = could_have_shown(moved) if 20 * drop <= 1 else f"{p_value(moved.p)} ({moved.method})"
        message = f"max_correctness_drop: {told}, limit −5 pts, baseline {rate(float(moved.then))}; {tail}"
        missing = [] if now.head["selection"]["filter"] else [case["case_id"] for case in oracle.gone(now, then)]
        whole = len(missing) + len(oracle.pairs(now, then))
        found = [
            Gate("max_correctness_drop", 20 * drop <= 1, message),
            _by_cases("fail_on_missing", missing, whole, "cases of the baseline missing"),
        ]
    else:
        failed = [case["case_id"] for case in counted if status(case) == "failed"]
        found.append(_by_cases("every_case_passes", failed, sum(map(decided, counted)), "decided cases failed"))
    for gate, metric, title, limit in (
        ("max_hallucination_rate", "hallucination_rate", "Hallucination", 0.1),
        ("min_tool_accuracy", "tool_call_accuracy", "Tool accuracy", 0.9),
    ):
        measure = held[title]
        if measure.value is None:
            continue
        old = before.get(title)
        known = f", baseline {value(old.value, old.unit)}" if old and old.value is not None else ""
        holds = measure.value <= limit if gate.startswith("max") else measure.value >= limit
        written = value(measure.value, measure.unit)
        if not holds and written == value(limit, measure.unit):
            written = f"{measure.value:.3f}" if measure.unit == "score" else f"{100 * measure.value:.1f}%"  # not what it misses
        told = f"{metric} {written} ({measure.evidence}), limit {value(limit, measure.unit)}{known}"
        found.append(Gate(gate, holds, f"{gate}: {told}"))
    for gate, name, what in (
        ("fail_on_agent_error", "agent_error", "cases with an agent error"),
        ("fail_on_evaluator_error", "evaluator_error", "cases with an evaluator error"),
        ("fail_on_skipped", "skipped", "cases skipped"),
    ):
        found.append(_by_cases(gate, [case["case_id"] for case in counted if status(case) == name], len(counted), what))
    critical = [case for case in counted if case.get("critical")]
    if critical:
        failing = [case["case_id"] for case in critical if status(case) not in ("passed", "unscored")]
        found.append(_by_cases("critical_tags", failing, len(critical), "critical cases did not pass"))
    return found


def could_have_shown(moved: Change) -> str:
    if moved.detectable is not None:
        return f"the smallest drop this suite would have shown is {points(moved.detectable).lstrip('+')}"
    return f"{count(len(moved.tested), 'paired case')} can show no drop, however large"


def sentence(now: Run, then: Run | None) -> str:
    found = gates(now, then)
    failed = [gate for gate in found if gate.holds is False]
    judged = sum(map(decided, now.counted()))
    if then is None:
        return _alone(failed, judged)
    moved = oracle.change(now, then)
    fell = f"{of(len(moved.fell), len(moved.shares))} {'fell in the mean' if moved.repeated else 'regressed'}"
    told = f"{fell}, {p_value(moved.p)}: {joined(moved.fell)}"
    if failed and failed[0].name == "max_correctness_drop":
        others = joined([gate.name for gate in failed[1:]])
        return f"worse than the baseline: {told}{'; also failed: ' + others if others else ''}"
    if failed:
        more = f"; and {count(len(failed) - 2, 'more gate')}" if len(failed) > 2 else ""
        messages = "; ".join(gate.message.partition(": ")[2] for gate in failed[:2])
        return f"failed: {messages}{more}{'; ' + told if moved.fell else ''}"
    undecided = Counter(status(case) for case in now.counted() if not decided(case))
    beside = ", ".join(f"{number} {name}" for name, number in undecided.items())
    beside = f"; left out: {beside}" if beside else ""
    if not moved.fell and not moved.rose:
        return f"no worse than the baseline: all {len(moved.shares)} cases as before, {rate(float(moved.now))} correct{beside}"
    rose = f"{len(moved.rose)} {'rose' if moved.repeated else 'improved'}"
    names = f": {joined(moved.fell)}" if moved.fell else ""
    return f"no worse than the baseline: {fell}, {rose}{names}; {could_have_shown(moved)}{beside}"


def _alone(failed: Sequence[Gate], judged: int) -> str:
    if not failed:
        return f"no baseline: all {judged} decided cases pass"
    cases = next((gate for gate in failed if gate.name == "every_case_passes"), None)
    others = [gate for gate in failed if gate is not cases]
    if cases is None:
        more = f"; and {count(len(others) - 2, 'more gate')}" if len(others) > 2 else ""
        return "no baseline: " + "; ".join(gate.message.partition(": ")[2] for gate in others[:2]) + more
    names = cases.message.rpartition(": ")[2]
    number = int(cases.message.split(": ")[1].split(" of ")[0])
    shown = joined(_names(names, number))
    also = f"; also failed: {joined([gate.name for gate in others])}" if others else ""
    return f"no baseline: every case must pass; {of(number, judged)} failed: {shown}{also}"


def _names(listed: str, number: int) -> list[str]:
    known = listed.split(" and ")[0].split(", ")
    return known + ["…"] * (number - len(known))


def _gate_lines(now: Run, then: Run | None) -> Said:
    said = sentence(now, then)
    untold = [gate for gate in gates(now, then) if gate.holds is False and gate.message.partition(": ")[2] not in said]
    more: Said = [("more gate", count(len(untold) - 6, "more gate"))] if len(untold) > 6 else []
    return [(gate.name, gate.message) for gate in untold[:6]] + more


def _all_gates(now: Run, then: Run | None) -> Said:
    found = gates(now, then)
    return [("All gates", f"({len(found)})"), *((gate.name, gate.message) for gate in found)]


# Overview -------------------------------------------------------------------------------------------------------------------------


def overview(seen: Seen, *, agents: bool) -> Said:
    """``agents``: the address names none, so that all of them are listed."""
    run, then = seen.run, seen.then
    said: Said = []
    if agents:
        newest = {other.head["agent"]: other for other in seen.folder.runs}
        said += [
            (name, f"correctness {oracle.measures(other.counted())['Correctness'].text} {tally(other)}") for name, other in newest.items()
        ]
    said += [("", sentence(run, then)), *_gate_lines(run, then)]
    left = run.head["selection"]["left_out"]
    said.append(("run ", dotted([tally(run), f"{count(left, 'case')} left out by selection" if left else ""])))
    said += notices(seen.folder, run.head["agent"])
    said += _cards(seen)
    counts = Counter(case.get("role") or status(case) for case in run.cases)
    order = (*oracle.STATUSES, "candidate", "quarantined")
    said.append(("Outcomes", " ✓ ".join(str(counts[name]) for name in order if counts[name])))
    said.append(("passed", dotted(f"{counts[name]} {word(name)}" for name in oracle.STATUSES if counts[name])))
    return said + (_changed(run, then) if then is not None else _quarantined(run))


def notices(folder: Folder, agent: str | None = None) -> Said:
    """Runs that are not finished: how many of as many attempts as the newest run of the same cases made."""
    said: Said = []
    for head, done in folder.open:
        if agent in (None, head["agent"]):
            alike = [
                run for run in folder.runs if run.head["suite"]["hash"] == head["suite"]["hash"] and not run.head["selection"]["filter"]
            ]
            whole = len(alike[-1].cases)
            said.append(("done of suite", f"{of(done, whole, 'attempt')} done"))
            if head["agent"] == AGENT:  # its lock is held: it is running
                said.append(("% done", f"{100 * done // whole}% done"))
    return said


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
    said: Said = _why_counts_differ(run, then)
    still = [pair for pair in both if not pair.edited and status(pair.now) in _BAD and _unchanged(pair)]
    candidates = [case for case in run.cases if case.get("role") == "candidate"]
    absent = oracle.gone(run, then) if run.head["selection"]["filter"] else []
    for title, number in (
        ("Still failing", len(still)),
        ("Changed definition", sum(pair.edited for pair in both)),
        ("Candidates", len(candidates)),
        ("Not selected", len(absent)),
    ):
        if number:
            said.append((title, f"({number})"))
    return said + _quarantined(run) + _all_gates(run, then)


def _unchanged(pair: oracle.Pair) -> bool:
    return pair.both and status(pair.then) == status(pair.now)


def _why_counts_differ(run: Run, then: Run) -> Said:
    moved = oracle.change(run, then)
    fell = [pair for pair in oracle.pairs(run, then) if pair.both and not pair.edited]
    regressed = sum(status(pair.then) == "passed" and status(pair.now) == "failed" for pair in fell)
    if regressed == moved.down or not any(_differs(pair) for pair in oracle.pairs(run, then)):
        return []
    return [("went from passed to failed", f"{count(regressed, 'case')} went; which fell in {moved.down}")]


def _differs(pair: oracle.Pair) -> bool:
    return status(pair.then) != status(pair.now)


def _quarantined(run: Run) -> Said:
    number = sum(case.get("role") == "quarantined" for case in run.cases)
    return [("Quarantined", f"({number})")] if number else []


# Compare --------------------------------------------------------------------------------------------------------------------------


def compare(seen: Seen) -> Said:
    run, then = seen.run, seen.then
    assert then is not None
    moved = oracle.change(run, then)
    said: Said = [("", sentence(run, then)), *_gate_lines(run, then), *_test(moved)]
    both = oracle.pairs(run, then)
    groups = {
        "Regressed": sum(_went(pair, "passed", "failed") for pair in both),
        "Errored": sum(not pair.edited and status(pair.now) in _ERRORS and status(pair.then) not in _ERRORS for pair in both),
        "Improved": sum(not pair.edited and status(pair.now) == "passed" != status(pair.then) for pair in both),
        "New": len(oracle.new(run, then)),
        "Not selected" if run.head["selection"]["filter"] else "Missing": len(oracle.gone(run, then)),
        "Changed definition": sum(pair.edited for pair in both),
    }
    said += [(title, f"({number})") for title, number in groups.items() if number]
    said += _why_counts_differ(run, then) if groups["Regressed"] else []
    for title, read in (("Latency", lambda case: case.get("latency_ms")), ("Cost", lambda case: case.get("cost_usd"))):
        values, reasons = oracle.ratios(run, then, read)
        if values:
            said.append((title, _ratio_words(values, reasons)))
    undecided = sum(not pair.both for pair in both)
    failing = [case["case_id"] for case in oracle.new(run, then) if status(case) == "failed"]
    edited = [pair.now["case_id"] for pair in both if pair.edited]
    notes = {
        "not selected now": (len(oracle.gone(run, then)) if run.head["selection"]["filter"] else 0, "case"),
        "not decided in both": (undecided, "case"),
        "left out of tests": (len(edited), "changed case"),
        "new case": (len(failing), "new case"),
    }
    said += [(name, count(number, noun)) for name, (number, noun) in notes.items() if number]
    return said + _all_gates(run, then)


def _went(pair: oracle.Pair, before: str, after: str) -> bool:
    return not pair.edited and (status(pair.then), status(pair.now)) == (before, after)


def _ratio_words(values: Sequence[tuple[str, float, float]], reasons: dict[str, int]) -> str:
    middle, low, high = oracle.typical(values)
    more, less = (sum(test) for test in ([now >= 2 * then for _, then, now in values], [2 * now <= then for _, then, now in values]))
    return dotted(
        [
            f"{percent_change(middle - 1)} [{percent_change(low - 1)}, {percent_change(high - 1)}]",
            count(len(values), "pair"),
            *(f"{number} {reason}" for reason, number in reasons.items()),
            f"▲ {more} at least 2 times" if more else "",
            f"▼ {less} at most 1/2" if less else "",
        ]
    )


def _test(moved: Change) -> Said:
    n = len(moved.tested)
    if not n:
        return []
    said: Said = [(moved.method, f"{p_value(moved.p)} · {count(n, 'pair')}, {moved.down} regressed, {moved.up} improved")]
    difference = points(float(sum(moved.differences) / n))
    said.append(("difference", difference + ("" if moved.repeated else f" · {points_interval(*moved.newcombe)}")))
    said.append(("bootstrap", points_interval(*moved.bootstrap)))
    if moved.repeated:
        p = oracle.stats.ttest_1samp([float(d) for d in moved.differences], 0.0).pvalue
        said.append(("paired t-test", p_value(float(p))))
    else:
        b, c = moved.down, moved.up
        binom = oracle.stats.binom(b + c, 0.5)
        mid = 1.0 if b == c else 2 * float(binom.cdf(min(b, c))) - float(binom.pmf(min(b, c)))
        chi = (abs(b - c) - 1) ** 2 / (b + c) if b + c else 0.0
        chi = 0.0 if b == c else chi
        said += [("mid-p", p_value(mid)), ("chi-square", f"{chi:.2f}, {p_value(float(oracle.stats.chi2.sf(chi, 1)))}")]
    if moved.detectable is not None:
        said.append(("found with power", f"a drop of {points(moved.detectable).lstrip('+')}"))
    if moved.smallest is not None:
        said.append(("smallest drop", points(moved.smallest).lstrip("+")))
    changed = moved.down + moved.up
    if 0 < changed < 10 and moved.p > 0.05:
        said.append(("paired case", of(changed, n, "paired case")))
    if n < 10:
        said.append(("bootstrap interval", count(n, "paired case")))
    return said


def metric_table(run: Run, then: Run) -> list[tuple[str, ...]]:
    """metric, then, now, change, verdict's word, interval, p, left out."""
    rows = []
    for name, found in oracle.deltas(run, then).items():
        low, high = found.change.interval if found.change else (None, None)
        noise = low is not None and high is not None and found.word in ("better", "worse") and low <= 0 <= high
        before, after = (left_out(measure.left_out).removesuffix(" left out") for measure in (found.then, found.now))
        rows.append(
            (
                name,
                dotted([value(found.then.value, found.then.unit), found.then.evidence]),
                dotted([value(found.now.value, found.now.unit), found.now.evidence]),
                found.text,
                "within noise" if noise else found.word,
                points_interval(low, high) if low is not None and high is not None else "–",
                p_value(found.change.p).removeprefix("p ").removeprefix("= ") if found.change else "–",
                after if after == before else f"{after or 'none'}; then {before or 'none'}",
            )
        )
    return rows


# Case -----------------------------------------------------------------------------------------------------------------------------


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
    said += _trajectory(shown) + _steps(shown)
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


# Flakiness ------------------------------------------------------------------------------------------------------------------------


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


# Models ---------------------------------------------------------------------------------------------------------------------------


def entrants(seen: Seen, suite: str) -> list[Run]:
    """The newest whole finished run of every agent, the chosen one in the place of its agent's; the best first."""
    whole = [
        r
        for r in seen.folder.runs
        if r.head["suite"]["name"] == suite and r.head["status"] == "completed" and not r.head["selection"]["filter"]
    ]
    newest = {run.head["agent"]: run for run in whole}
    if seen.run in whole:
        newest[seen.run.head["agent"]] = seen.run
    right = {agent: oracle.measures(run.counted())["Correctness"] for agent, run in newest.items()}
    return sorted(newest.values(), key=lambda run: (-(right[run.head["agent"]].value or 0), -right[run.head["agent"]].n, run.head["agent"]))


def mean_cost(run: Run) -> tuple[float, float, float]:
    """Of a priced case, with Student's interval cut at 0."""
    costs = [case["cost_usd"] for case in run.counted() if case.get("cost_usd") is not None]
    mean, sd = oracle.statistics.fmean(costs), oracle.statistics.stdev(costs)
    reach = 0.0 if sd < 1e-12 else float(oracle.stats.t.ppf(0.975, len(costs) - 1)) * sd / len(costs) ** 0.5
    return mean, max(0.0, mean - reach), mean + reach


def duel(first: Run, second: Run) -> tuple[Run, Run, Change]:
    """The one with the higher correctness over the cases that both decided goes first."""
    moved = oracle.change(first, second)
    return (first, second, moved) if moved.delta >= 0 else (second, first, oracle.change(second, first))


def models(seen: Seen) -> Said:
    first, second = entrants(seen, seen.run.head["suite"]["name"])
    right = {run.id: oracle.measures(run.counted()) for run in (first, second)}
    best, _, moved = duel(first, second)
    own = right[first.id]["Correctness"]
    silent = len(first.counted()) - own.n
    undecided = f", {count(silent, 'undecided case')} left out" if silent else ""
    told = f"{rate(own.value)} of {count(own.n, 'case')} correct{undecided} and ({rate(right[second.id]['Correctness'].value)}), "
    difference = points(moved.delta if best is first else -moved.delta)
    said: Said = [("at this n", f"{told}{difference} over the {count(len(moved.shares), 'case')} that, {p_value(moved.p)}")]
    said.append(("contenders", count(2, "contender")))
    for place, run in enumerate((first, second), 1):
        held = right[run.id]
        curve = oracle.curve(run, every=True)
        steady = (
            f"pass^{curve[-1].k} {rate(curve[-1].value)} n {count(curve[-1].cases, 'case')} · " + shares(curve[-1].low, curve[-1].high)
            if curve
            else ""
        )
        cost, used = held["Cost / run"], held["Tokens / run"]
        said.append(
            (
                run.head["agent"],
                dotted(
                    [
                        f"{place}.",
                        held["Correctness"].text,
                        steady,
                        held["Latency p95"].text,
                        f"{usd(mean_cost(run)[0])} a case",
                        f"{usd(cost.value)} a run",
                        f"n {cost.n}",
                        left_out(cost.left_out),
                        f"{round((used.value or 0) / used.n):,} tokens a case, n {used.n}",
                    ]
                ),
            )
        )
    alike = moved.p > 0.05
    edited = len(moved.shares) - len(moved.tested)
    reach = f"at this n a difference of about {points(moved.detectable or 0).lstrip('+')} is found"
    said.append(
        (
            "not distinguishable",
            dotted(
                [
                    f"{of(alike, 1, 'pair')} not distinguishable",
                    f"over {count(1, 'pair')}",
                    reach,
                    f"up to {count(edited, 'case')}" if edited else "",
                ]
            ),
        )
    )
    return said


def duel_table(seen: Seen) -> list[tuple[str, ...]]:
    """first, second, n cases, both rates, difference, interval, only one right, p, verdict's words."""
    first, second, moved = duel(*entrants(seen, seen.run.head["suite"]["name"]))
    return [
        (
            first.head["agent"],
            second.head["agent"],
            "first is better" if moved.p <= 0.05 else "not distinguishable",
            points(moved.delta),
            points_interval(*moved.interval),
            p_value(oracle.holm([moved.p])[0]),
            str(len(moved.shares)),
            f"{rate(float(moved.now))} – {rate(float(moved.then))}",
            f"{moved.up} – {moved.down}",
        )
    ]


# Runs -----------------------------------------------------------------------------------------------------------------------------


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
    if roles:
        said.append(("candidates", f"({roles})"))
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
    reached = oracle.itertools.accumulate(cost for _, cost in known)
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


def _run_row(head: oracle.Mapping[str, oracle.Any], run: Run | None, record: str) -> tuple[str, ...]:
    if run is not None:
        held = oracle.measures(run.counted())
        right, cost, cases = held["Correctness"], held["Cost / run"].value, len(run.cases)
    else:
        known = head["metrics"]["correctness_rate"]
        right = oracle.Measure(known["value"], known["n"], "rate", "higher")
        cost, cases = head["metrics"]["total_cost_usd"]["value"], sum(head["counts"].values())
    counted = f"{rate(right.value)} · {round((right.value or 0) * right.n)} of {right.n}"
    return head["run_id"], head["gate"]["outcome"].upper(), counted, str(cases), f"{head['duration_s']:.1f} s", f"${cost:.4f}", record
