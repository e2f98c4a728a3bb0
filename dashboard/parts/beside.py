"""Two attempts at one case beside each other: questions, answers, verdicts and steps, with what differs marked."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from agenteval import _format
from agenteval._text import clip
from agenteval.charts.palette import look
from agenteval.model.attempt import Attempt
from agenteval.model.score import Score
from parts.difference import cut, word_columns
from parts.trajectory import steps_difference
from parts.windows import window
from parts.words import as_yaml, code, escaped, mark

_MOST_SCORES = 30
_TURNS = 10
_MOST_REASON = 160


def beside(then: Attempt, now: Attempt, names: tuple[str, str] = ("then", "now")) -> None:
    """Everything that tells two attempts apart, the answer first; what is the same is said in a line."""
    _declared(then, now, names)
    if then.turns or now.turns:
        _conversations(then, now, names)
    else:
        st.markdown(f"**Answer** :gray[– {_key(names)}]")
        _texts(_said(then), _said(now), names)
    _scores(then, now, names)
    _cost(then, now)
    steps_difference(then, now, names)


def _key(names: tuple[str, str]) -> str:
    """How the marks are read."""
    return escaped(f"{names[0]} struck through, {names[1]} bold")


def _said(attempt: Attempt) -> str:
    return attempt.output or (f"{attempt.error.kind}: {attempt.error.message}" if attempt.error else "")


def _declared(then: Attempt, now: Attempt, names: tuple[str, str]) -> None:
    """What was asked and expected: once where both are the same, else its difference, for then the suite changed."""
    if then.prompt != now.prompt:
        st.markdown("**Prompt** :orange[changed]")
        _texts(then.prompt, now.prompt, names)
    elif now.prompt:
        st.markdown(f"**Prompt** &nbsp; {escaped(clip(now.prompt, 400))}")
    before, after = _expected(then), _expected(now)
    if before != after:
        st.markdown("**Expected** :orange[changed]")
        _texts(before, after, names)


def _expected(attempt: Attempt) -> str:
    declared = {**attempt.expects, **({"evaluators": list(attempt.evaluators)} if attempt.evaluators else {})}
    return as_yaml(declared) if declared else ""


def _texts(then: str, now: str, names: tuple[str, str]) -> None:
    """Two texts beside each other, words of one alone marked."""
    if then == now:
        with st.container(border=True):
            st.markdown(":gray[the same, word for word:]" if then else ":gray[both empty]")
            if then:
                st.text(then[:2_000])
                if len(then) > 2_000:
                    st.caption(f"the first 2,000 of {len(then):,} characters")
        return
    marked = word_columns(then, now)
    for column, name, text in zip(st.columns(2, gap="small"), names, marked, strict=True):
        with column, st.container(border=True, height="stretch"):
            st.markdown(f":gray[{escaped(name)}]")
            st.markdown(text)
    left_out = cut(then, now)
    if left_out:
        st.caption(left_out)


def _conversations(then: Attempt, now: Attempt, names: tuple[str, str]) -> None:
    """The turns whose answer or verdict differs, numbered."""
    number = max(len(then.turns), len(now.turns))
    pairs = [(_turn(then, place), _turn(now, place)) for place in range(number)]
    differing = [place for place, (one, other) in enumerate(pairs) if _differ(one, other)]
    st.markdown(f"**Conversation** :gray[– {_key(names)}]")
    st.caption(f"the answer or the verdict differs in {_format.of(len(differing), number, 'turn')}")
    for place in differing[window(len(differing), _TURNS, "turns", "turns")]:
        one, other = pairs[place]
        words = " → ".join(mark(turn.status) if turn else ":gray[not there]" for turn in (one, other))
        st.markdown(f"turn {place + 1} &nbsp; {words} &nbsp; :gray[{escaped(clip((other or one or now).prompt, 120))}]")
        _texts(_said(one) if one else "", _said(other) if other else "", names)


def _turn(attempt: Attempt, place: int) -> Attempt | None:
    return attempt.turns[place] if place < len(attempt.turns) else None


def _differ(one: Attempt | None, other: Attempt | None) -> bool:
    return one is None or other is None or one.output != other.output or one.status is not other.status


def _scores(then: Attempt, now: Attempt, names: tuple[str, str]) -> None:
    """A line a check: verdict and value then and now, and the reason now where the verdict changed."""
    before, after = _named(then.scores), _named(now.scores)
    checks = list(dict.fromkeys([*after, *before]))
    if not checks:
        return
    checks.sort(key=lambda name: _word(before.get(name)) == _word(after.get(name)))
    lines = [f"| {escaped(names[0])} | {escaped(names[1])} | check |", "|---|---|---|"]
    for name in checks[:_MOST_SCORES]:
        one, other = before.get(name), after.get(name)
        told = other if other is not None else one
        why = escaped(clip((told.error or told.reason) if told else "", _MOST_REASON))
        lines.append(f"| {_word(one)} | {_word(other)} | {code(name).replace('|', '¦')} {why} |")
    st.markdown("**Scores**")
    st.markdown("\n".join(lines))
    if len(checks) > _MOST_SCORES:
        st.caption(f"and {len(checks) - _MOST_SCORES} more checks")


def _named(scores: Sequence[Score]) -> dict[str, Score]:
    """Scores by name, numbered where a check stands twice."""
    found: dict[str, Score] = {}
    for score in scores:
        number, name = 1, score.name
        while name in found:
            number += 1
            name = f"{score.name} {number}"
        found[name] = score
    return found


def _word(score: Score | None) -> str:
    if score is None:
        return ":gray[not made]"
    if score.error:
        status = "evaluator_error"
    elif score.skipped:
        status = "skipped"
    elif score.passed is None:
        return f":gray[observed] {_format.score(score.value)}" if score.value is not None else ":gray[not applicable]"
    else:
        status = "passed" if score.passed else "failed"
    shown = look(status)
    value = f" {_format.score(score.value)}" if score.value is not None else ""
    return f":{shown.streamlit}[{escaped(shown.symbol)} {escaped(shown.word)}]{value}"


def _cost(then: Attempt, now: Attempt) -> None:
    """Time, tokens and money then and now."""
    quantities = (
        ("latency", "ms", then.latency_ms, now.latency_ms),
        ("tokens", "tokens", then.tokens, now.tokens),
        ("cost", "usd", then.cost_usd, now.cost_usd),
    )
    parts = []
    for name, unit, one, other in quantities:
        if one is None and other is None:
            continue
        change = f" ({_format.percent_change(other / one - 1)})" if one and other is not None else ""
        parts.append(f"{name} {_format.value(one, unit)} → {_format.value(other, unit)}{change}")
    if parts:
        st.caption(escaped(" · ".join(parts)))
