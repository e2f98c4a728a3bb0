"""A calibration as plain text and as JSON, and the list of those stored."""

from __future__ import annotations

from collections.abc import Sequence

from agenteval import _format
from agenteval._files import dumps
from agenteval._format import kappa
from agenteval._text import clip, plain
from agenteval._time import parse
from agenteval.artifacts.calibrations import Calibrations, to_json
from agenteval.model.calibration import PASSES, Calibration, Confusion, JudgedItem, Kind, LengthBias, LengthOfWinner, PassMark, Standing
from agenteval.reports.listing import table

_MOST = 20
"""Disagreements, and errors, that are listed."""
_THINGS = {Kind.BINARY: "answer", Kind.MARKS: "answer", Kind.PAIRS: "pair"}
_USUAL_P = 0.05


def calibration_text(calibration: Calibration) -> str:
    """The sentence first, then the evidence, the disagreements, and where it is stored."""
    parts: list[Sequence[str]] = [
        [" ".join(part for part in (sentence(calibration), trust(calibration), advice(calibration)) if part)],
        figure_lines(calibration),
        [] if calibration.confusion is None else confusion_lines(calibration.confusion),
        bias_lines(calibration),
        _disagreements(calibration),
        _errors(calibration),
        [f"saved {calibration.path}"] if calibration.path is not None else [],
    ]
    return "\n\n".join("\n".join(map(plain, part)) for part in parts if part)


def calibration_json(calibration: Calibration) -> str:
    """What is stored, and where."""
    return dumps({"path": None if calibration.path is None else str(calibration.path), **to_json(calibration)}).decode()


def sentence(calibration: Calibration) -> str:
    """How far the judge agrees with people, in one sentence."""
    n, things = calibration.n, _format.count(calibration.n, _THINGS[calibration.kind])
    left_out = f" ({_format.count(calibration.errors, 'judge error')} left out)" if calibration.errors else ""
    if not n:
        return (
            f"No agreement measured: the judge gave no verdict on any of {_format.count(calibration.n_cases, _THINGS[calibration.kind])}."
        )
    if calibration.kappa is None:
        return f"No agreement beyond chance can be measured: people and judge gave one and the same verdict on all {things}{left_out}."
    word = (calibration.interpretation or "").capitalize()
    interval = f", 95% {kappa(calibration.low)} to {kappa(calibration.high)}" if calibration.low is not None else ""
    return f"{word} agreement: kappa {kappa(calibration.kappa)}{interval}, n {n:,}{left_out}."


def trust(calibration: Calibration) -> str:
    """Whether gates may stand on the judge, in one sentence."""
    limit = kappa(calibration.kappa_threshold)
    if calibration.standing is Standing.TRUSTED:
        return f"Gates can stand on this judge: even the lower end of kappa's interval keeps the limit {limit}."
    if calibration.standing is Standing.UNPROVEN:
        if calibration.low is None:
            return f"Not sure enough to gate on: kappa keeps the limit {limit}, but has no interval."
        return f"Not sure enough to gate on: kappa keeps the limit {limit}, its interval does not."
    if calibration.kappa is None:
        return "Do not gate on this judge: nothing shows that it can tell good from bad."
    return f"Do not gate on this judge: kappa is below the limit {limit}."


def advice(calibration: Calibration) -> str:
    """How many items would settle it, where that can be said; else ""."""
    if calibration.standing is not Standing.UNPROVEN or not calibration.needed:
        return ""
    return f"About {_format.count(calibration.needed, f'labelled {_THINGS[calibration.kind]}')} would settle it, were kappa to stay."


def below(calibration: Calibration) -> str:
    """That kappa misses the threshold, or is none."""
    if calibration.kappa is None:
        return "there is no kappa to hold against the threshold"
    return f"kappa {kappa(calibration.kappa)} is below the threshold {kappa(calibration.kappa_threshold)}"


def figure_lines(calibration: Calibration) -> list[str]:
    """What was judged by whom, and the rates with their denominators."""
    asked = "verdicts recorded in the set" if calibration.recorded else calibration.model or "model not recorded"
    version = f"  prompt {calibration.prompt_version}" if calibration.prompt_version else ""
    golden = f"  golden set {calibration.golden_set}" if calibration.golden_set else ""
    lines = [f"  judge {calibration.judge}  {asked}{version}{golden}"]
    lines.append(f"  {'agreement':<30} {_format.measure(calibration.agreement)}")
    if calibration.weights != "none":
        lines[-1] += f"  (the same mark; kappa with {calibration.weights} weights)"
    marks = " (7 and more)" if calibration.kind is Kind.MARKS else ""
    for name, measure in (
        (f"good answers{marks} passed", calibration.sensitivity),
        ("bad answers failed", calibration.specificity),
    ):
        if measure is not None:
            lines.append(f"  {name:<30} {_format.measure(measure)}")
    if calibration.cost_usd:
        lines.append(f"  {'cost':<30} {_format.usd(calibration.cost_usd)}")
    if calibration.legacy:
        lines.append(f"  {calibration.legacy}")
    return lines


def confusion_lines(confusion: Confusion) -> list[str]:
    """The table of both verdicts; a row what people say, a column what the judge says. Marks that nobody gave are left out."""
    used = [
        place
        for place in range(len(confusion.labels))
        if len(confusion.labels) <= 3 or any(confusion.table[place]) or _given(confusion, place)
    ]
    few = len(confusion.labels) <= 3
    columns = [f"judge {confusion.labels[place]}" if few else confusion.labels[place] for place in used]
    width = max(map(len, columns), default=0)
    lines = [f"  {'' if few else 'judge':<14}{''.join(f'  {column:>{width}}' for column in columns)}"]
    for row in used:
        cells = "".join(f"  {confusion.table[row][column]:>{width},}" for column in used)
        lines.append(f"  {'people ' + confusion.labels[row]:<14}{cells}")
    return lines


def _given(confusion: Confusion, place: int) -> bool:
    return any(row[place] for row in confusion.table)


def bias_lines(calibration: Calibration) -> list[str]:
    """What sways the judge, each as a sentence with its test."""
    lines = []
    if calibration.position is not None:
        lines.append(f"  {position_sentence(calibration)}")
    if calibration.length is not None:
        lines.append(f"  {length_sentence(calibration)}")
    if calibration.pass_mark is not None:
        lines.append(f"  {pass_mark_sentence(calibration)}")
    return lines


def position_sentence(calibration: Calibration) -> str:
    """How often the order of two answers decides."""
    found = calibration.position
    if found is None:
        return ""
    leaning = found.first + found.second
    shown = f"{_format.of(found.same, found.n, 'pair')} ({_format.rate(found.same / found.n)}) have the same winner in both orders"
    if not leaning:
        return f"Order: {shown}."
    place, lead = ("first", found.first) if found.first >= found.second else ("second", found.second)
    others = f"of the other {leaning:,}, {lead:,} lean to the answer shown {place} ({_format.p_value(found.p)})"
    return f"Order: {shown}; {others}{_verdict(found.p)}."


def length_sentence(calibration: Calibration) -> str:
    """Whether long answers are favoured beyond what people do."""
    found = calibration.length
    if isinstance(found, LengthOfWinner):
        judge, human = _format.rate(found.judge / found.n), _format.rate(found.human / found.n)
        told = f"the judge chooses the longer answer in {judge}, people in {human} of {_format.count(found.n, 'pair')}"
        return f"Length: {told} ({_format.p_value(found.p)}){_verdict(found.p)}."
    if not isinstance(found, LengthBias):
        return ""
    if found.correlation is None:
        return f"Length: judge less people is the same for all {_format.count(found.n, 'answer')}."
    longer = f"{_kinder(found.longer, calibration.kind)} than people"
    shorter = _kinder(found.shorter, calibration.kind)
    told = f"on the longer half of the answers the judge is {longer}, on the shorter half {shorter}"
    return f"Length: {told} (rank correlation {kappa(found.correlation)}, n {found.n:,}, {_format.p_value(found.p)}){_verdict(found.p)}."


def _verdict(p: float | None) -> str:
    return ": no proof of a bias" if p is None or p > _USUAL_P else ": a bias"


def _kinder(difference: float, kind: Kind) -> str:
    """Judge less people, in words."""
    if abs(difference) < 1e-9:
        return "neither kinder nor stricter"
    size = _format.points(abs(difference)).lstrip("+") if kind is Kind.BINARY else f"{abs(difference):.1f} marks"
    return f"{size} {'kinder' if difference > 0 else 'stricter'}"


def pass_mark_sentence(calibration: Calibration) -> str:
    """The pass mark that one half of the set chooses, and what the other half makes of it."""
    found = calibration.pass_mark
    if found is None:
        return ""
    interval = f" (95% {kappa(found.low)} to {kappa(found.high)})" if found.low is not None else ""
    good, bad = _tested(calibration, found)
    rates = f"{_format.rate(found.sensitivity)} of the {good}good pass, {_format.rate(found.specificity)} of the {bad}bad fail"
    return (
        f"Pass mark: {found.mark} parts good from bad best on {found.chosen_on:,} answers; on the other {found.tested_on:,} "
        f"kappa is {kappa(found.kappa)}{interval}, {rates}."
    )


def _tested(calibration: Calibration, found: PassMark) -> tuple[str, str]:
    """How many good and bad answers the tested half holds: of each kind the larger half; "" where the items are not stored."""
    passes = [item.human if isinstance(item.human, bool) else int(item.human) >= PASSES for item in calibration.items if _marked(item)]
    if len(passes) != found.chosen_on + found.tested_on:
        return "", ""
    good = sum(passes) - sum(passes) // 2
    return f"{good:,} ", f"{found.tested_on - good:,} "


def _marked(item: JudgedItem) -> bool:
    """Whether the judge gave it a mark."""
    return item.mark is not None if isinstance(item.human, bool) else item.judge is not None


def _disagreements(calibration: Calibration) -> list[str]:
    known = {item.id: item for item in calibration.disagreements}
    if not calibration.mismatches:
        return []
    lines = [f"disagreements ({len(calibration.mismatches):,}):"]
    lines += [f"  {_told(known[name])}" if name in known else f"  {name}" for name in calibration.mismatches[:_MOST]]
    return lines + _more(len(calibration.mismatches))


def _told(item: JudgedItem) -> str:
    people, judge = item.verdicts
    return f"{item.id}  people {people}, judge {judge}" + (f": {clip(item.reason, 160)}" if item.reason else "")


def _errors(calibration: Calibration) -> list[str]:
    failed = [item for item in calibration.items if item.judge is None]
    if not failed:
        return []
    lines = [f"judge errors, in no figure ({len(failed):,}):"]
    return [*lines, *(f"  {item.id}  {clip(item.error or '', 160)}" for item in failed[:_MOST]), *_more(len(failed))]


def _more(total: int) -> list[str]:
    return [f"  and {total - _MOST:,} more, in the stored file"] if total > _MOST else []


def calibrations_text(found: Calibrations) -> str:
    """Stored calibrations, newest first, then the files that can't be read."""
    rows: list[tuple[str, ...]] = [("WHEN", "JUDGE", "MODEL", "KAPPA", "95%", "N", "ERRORS", "LIMIT", "STANDING", "FILE")]
    for item in reversed(found.found):
        interval = "n/a" if item.low is None else f"{kappa(item.low)} to {kappa(item.high)}"
        model = "recorded verdicts" if item.recorded else item.model or "n/a"
        moment = _format.date(parse(item.timestamp))
        errors = "n/a" if item.legacy else f"{item.errors:,}"
        limit = kappa(item.kappa_threshold)
        row = (moment, item.judge, model, kappa(item.kappa), interval, f"{item.n:,}", errors, limit, item.standing.value, str(item.path))
        rows.append(tuple(map(plain, row)))
    lines = table(rows) if len(rows) > 1 else ["no calibrations; `agenteval calibrate --judge AGENT --golden-set FILE` makes one"]
    return "\n".join([*lines, *(plain(f"can't be read: {item.path}: {item.reason}") for item in found.unreadable)])


def calibrations_json(found: Calibrations) -> str:
    """Stored calibrations without their items, oldest first, and the files that can't be read."""
    heads = [
        {"path": str(item.path), **{key: value for key, value in to_json(item).items() if key != "items"}, "legacy": item.legacy}
        for item in found.found
    ]
    return dumps(
        {"calibrations": heads, "unreadable": [{"path": str(item.path), "reason": item.reason} for item in found.unreadable]}
    ).decode()
