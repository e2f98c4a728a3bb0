"""What the page Compare ought to say."""

from __future__ import annotations

from collections.abc import Sequence

from scipy import stats

from tests.dashboard import oracle
from tests.dashboard.oracle import Change, Run, status
from tests.dashboard.oracle.overview import without_verdict
from tests.dashboard.oracle.said import ERRORS, Said, Seen
from tests.dashboard.oracle.verdict import all_gates, gate_lines, sentence, why_counts_differ
from tests.dashboard.oracle.words import (
    count,
    dotted,
    left_out,
    of,
    p_value,
    percent_change,
    points,
    points_interval,
    value,
)


def compare(seen: Seen) -> Said:
    run, then = seen.run, seen.then
    assert then is not None
    moved = oracle.change(run, then)
    said: Said = [("", sentence(run, then)), *gate_lines(run, then), *_test(moved)]
    both = oracle.pairs(run, then)
    groups = {
        "Regressed": sum(_went(pair, "passed", "failed") for pair in both),
        "Errored": sum(not pair.edited and status(pair.now) in ERRORS and status(pair.then) not in ERRORS for pair in both),
        "Improved": sum(not pair.edited and status(pair.now) == "passed" != status(pair.then) for pair in both),
        "New": len(oracle.new(run, then)),
        "Not selected" if run.head["selection"]["filter"] else "Missing": len(oracle.gone(run, then)),
        "Changed definition": sum(pair.edited for pair in both),
    }
    said += [(title, f"({number})") for title, number in groups.items() if number]
    lost = without_verdict(both)
    if lost and not any(number for title, number in groups.items() if title != "Changed definition"):
        said.append(("No case got better", count(lost, "case")))
    said += why_counts_differ(run, then) if groups["Regressed"] else []
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
    return said + all_gates(run, then)


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
    if moved.repeated:
        p = stats.ttest_1samp([float(d) for d in moved.differences], 0.0).pvalue
        said.append(("paired t-test", p_value(float(p))))
    else:
        b, c = moved.down, moved.up
        binom = stats.binom(b + c, 0.5)
        mid = 1.0 if b == c else 2 * float(binom.cdf(min(b, c))) - float(binom.pmf(min(b, c)))
        chi = (abs(b - c) - 1) ** 2 / (b + c) if b + c else 0.0
        chi = 0.0 if b == c else chi
        said += [("mid-p", p_value(mid)), ("chi-square", f"{chi:.2f}, {p_value(float(stats.chi2.sf(chi, 1)))}")]
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
        low, high = found.interval
        before, after = (left_out(measure.left_out).removesuffix(" left out") for measure in (found.then, found.now))
        rows.append(
            (
                name,
                dotted([value(found.then.value, found.then.unit), found.then.evidence]),
                dotted([value(found.now.value, found.now.unit), found.now.evidence]),
                found.text,
                found.word,
                points_interval(low, high) if low is not None and high is not None else "–",
                p_value(found.change.p).removeprefix("p ").removeprefix("= ") if found.change else "–",
                after if after == before else f"{after or 'none'}; then {before or 'none'}",
            )
        )
    return rows
