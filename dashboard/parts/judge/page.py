"""Judge: how far it agrees with people, whether gates may stand on it, and where it is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import streamlit as st

from agenteval import _format
from agenteval._format import short_id
from agenteval._text import clip, nearest
from agenteval._time import now, parse
from agenteval.model.calibration import Calibration, JudgedItem, Kind, Standing
from agenteval.model.run import Measure
from agenteval.reports import calibration as told
from parts import stored
from parts.chrome import unreadable_list
from parts.downloads import offer
from parts.judge.calibrations import calibrations
from parts.view import View
from parts.words import code, escaped, text_block

_NEWEST = "newest"
_MOST = 25
_BADGES = {
    Standing.TRUSTED: (":green-badge[✓ trusted]", "pass"),
    Standing.UNPROVEN: (":orange-badge[? not proven]", "inconclusive"),
    Standing.BELOW: (":red-badge[✕ not trusted]", "fail"),
}


def show(view: View | None) -> None:
    """The whole page; it needs no run."""
    everything = calibrations()
    if not everything.found:
        _nothing()
    else:
        first_line = st.container()
        with st.container(horizontal=True):
            judge = _judge(everything.found, view.selection.agent if view else None)
            history = everything.of(judge)
            chosen = _chosen(history)
        with first_line:
            _verdict(chosen, view)
        _cards(chosen)
        _figures(history, chosen)
        _disagreements(chosen)
        _errors(chosen)
        _offer(history, chosen)
    if everything.unreadable:
        with st.expander(f":material/warning: {_format.count(len(everything.unreadable), 'calibration')} can't be read"):
            unreadable_list(everything.unreadable)


def _nothing() -> None:
    st.markdown("#### No judge was calibrated yet", anchors=False)
    st.markdown("Whether a judge agrees with people is not known before it is measured. Label some answers, then:")
    st.code("agenteval calibrate --judge AGENT --golden-set answers.yaml", language="bash")


def _judge(found: Sequence[Calibration], agent: str | None) -> str:
    """The judge of the URL, else the sidebar's agent where it has one, else the one calibrated last."""
    judges = sorted({item.judge for item in found})
    default = agent if agent in judges else found[-1].judge
    if len(judges) == 1:
        return default
    _unknown("judge", judges)
    return st.selectbox("Judge of", judges, index=judges.index(default), key="judge", bind="query-params", width=320)


def _chosen(history: Sequence[Calibration]) -> Calibration:
    """The calibration of the URL, else the newest."""
    if len(history) == 1:
        return history[0]
    # Options are bound to the URL as they are shown, so they are plain words.
    times = Counter(item.timestamp[:19] for item in history)
    by_name = {f"{item.timestamp[:19]}{f' {_name(item)[-6:]}' if times[item.timestamp[:19]] > 1 else ''}": item for item in history}
    options = [_NEWEST, *reversed(by_name)]
    _unknown("calibration", options)
    return by_name.get(st.selectbox("Calibration", options, key="calibration", bind="query-params", width=320), history[-1])


def _name(item: Calibration) -> str:
    return item.path.stem if item.path else item.timestamp


def _unknown(key: str, options: Sequence[str]) -> None:
    """A name in the address that is none of the options: Streamlit would pass over it in silence."""
    asked = st.query_params.get(key)
    if asked is not None and asked not in options:
        close = nearest(asked, options)
        hint = f"; the nearest is {code(close)}" if close else ""
        st.markdown(f":orange-badge[? unknown {key}] There is no {key} {code(asked[:120])} here{hint}.")


def _verdict(chosen: Calibration, view: View | None) -> None:
    badge, look = _BADGES[chosen.standing]
    with st.container(key=f"verdict-{look}", gap="small"):
        st.markdown(f"#### {badge} {escaped(told.trust(chosen))}", anchors=False)
        st.markdown(escaped(" ".join(part for part in (told.sentence(chosen), told.advice(chosen)) if part)))
        moment = parse(chosen.timestamp)
        asked = "verdicts recorded in the golden set" if chosen.recorded else f"model {code(chosen.model)}" if chosen.model else None
        parts = [f"judge of {code(chosen.judge)}", asked or "model not recorded"]
        if chosen.prompt_version:
            parts.append(f"prompts {code(chosen.prompt_version)}")
        if chosen.golden_set:
            parts.append(f"golden set {code(chosen.golden_set)}")
        parts.append(f"{escaped(_format.date(moment))}, {escaped(_format.age(moment, now()))}")
        if chosen.legacy:
            parts.append(f"file of {escaped(chosen.legacy)}")
        st.caption(" · ".join(parts))
    other = _another_judge(chosen, view)
    if other:
        st.markdown(f":orange-badge[? another judge] {other}")


def _another_judge(chosen: Calibration, view: View | None) -> str:
    """That the run of the sidebar asked another judge than the one calibrated here; "" where it did not, or nothing is known."""
    if view is None or view.head.agent != chosen.judge or chosen.legacy:
        return ""
    asked = stored.run_at(view.path).provenance.get("judge")
    if not isinstance(asked, dict) or not asked.get("model"):
        return ""
    if not chosen.recorded and (asked.get("model"), asked.get("prompt_version")) == (chosen.model, chosen.prompt_version):
        return ""
    words = f"model {code(str(asked['model']))} with prompts {code(str(asked.get('prompt_version')))}"
    return f"The run in the sidebar asked {words}: this calibration does not speak for it."


def _cards(chosen: Calibration) -> None:
    facts: list[tuple[str, str, str]] = []
    interval = f"95% {_format.kappa(chosen.low)} to {_format.kappa(chosen.high)}" if chosen.low is not None else "no interval"
    weights = f", {chosen.weights} weights" if chosen.weights != "none" else ""
    facts.append(
        ("Kappa", _format.kappa(chosen.kappa), f"{interval} · n {chosen.n:,} · limit {_format.kappa(chosen.kappa_threshold)}{weights}")
    )
    facts.append(("Agreement", _format.rate(chosen.agreement.value), _evidence(chosen.agreement)))
    if chosen.sensitivity is not None:
        facts.append(("Good answers passed", _format.rate(chosen.sensitivity.value), _evidence(chosen.sensitivity)))
    if chosen.specificity is not None:
        facts.append(("Bad answers failed", _format.rate(chosen.specificity.value), _evidence(chosen.specificity)))
    if not chosen.legacy:
        facts.append(("Judge errors", f"{chosen.errors:,}", f"of {_format.count(chosen.n_cases, 'item')}, in no figure"))
    with st.container(key="cards"):
        columns = st.columns(len(facts), gap="small")
    for column, (name, value, evidence) in zip(columns, facts, strict=True):
        with column, st.container(border=True, gap="small", height="stretch"):
            st.metric(name, value)
            st.caption(escaped(evidence))


def _evidence(measure: Measure) -> str:
    return _format.evidence(measure) if measure.n else "none in the golden set"


def _figures(history: Sequence[Calibration], chosen: Calibration) -> None:
    """Kappa over time where there are several calibrations, both verdicts, and what else moves the judge."""
    left, right = st.columns([3, 2] if len(history) > 1 else [1, 1], gap="large")
    if len(history) > 1:
        with left:
            _over_time(history, chosen)
        with right:
            _both(chosen)
        _sways(chosen)
    else:
        with left:
            _both(chosen)
        with right:
            _sways(chosen)


def _over_time(history: Sequence[Calibration], chosen: Calibration) -> None:
    from agenteval.charts.layout import config

    st.markdown("##### Kappa over calibrations")
    words = f"{_format.count(len(history), 'calibration')}, each with its 95% interval; dashed: the limit. {_since(history, chosen)}"
    st.caption(escaped(words))
    figure = _history_figure(tuple(history), chosen)
    st.plotly_chart(figure, config=config("kappa"), key="kappa-history", alt="Kappa of each calibration with its limit")


def _both(chosen: Calibration) -> None:
    from agenteval.charts.layout import config

    if chosen.confusion is None or not chosen.n:
        return
    st.markdown("##### What people and judge say")
    shares = "" if chosen.kind is Kind.MARKS else ", shares of what people said"
    st.caption(escaped(f"{chosen.n:,} items with both verdicts; agreement on the diagonal{shares}"))
    figure = _confusion_figure(chosen)
    st.plotly_chart(figure, config=config("people-and-judge"), key="confusion", alt="Verdicts of people against verdicts of the judge")


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs={Calibration: lambda item: (str(item.path), item.timestamp)})
def _history_figure(history: tuple[Calibration, ...], chosen: Calibration) -> Any:
    from agenteval.charts.judge import kappa_history

    return kappa_history(history, chosen)


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs={Calibration: lambda item: (str(item.path), item.timestamp)})
def _confusion_figure(chosen: Calibration) -> Any:
    from agenteval.charts.judge import confusion_table

    assert chosen.confusion is not None
    return confusion_table(chosen.confusion)


def _since(history: Sequence[Calibration], chosen: Calibration) -> str:
    """What moved since the calibration before, and whether the two can be compared."""
    place = next((index for index, item in enumerate(history) if item.path == chosen.path), 0)
    if not place:
        return ""
    before = history[place - 1]
    changed = [
        word
        for word, one, other in (
            ("model", before.model, chosen.model),
            ("prompts", before.prompt_version, chosen.prompt_version),
            ("golden set", before.golden_hash, chosen.golden_hash),
        )
        if one is not None and other is not None and one != other
    ]
    under = f"with another {_format.joined(changed)}" if changed else "with the same judge and golden set"
    return f"The one before had {_format.kappa(before.kappa)} (n {before.n:,}) {under}."


def _sways(chosen: Calibration) -> None:
    sentences = [
        sentence for sentence in (told.position_sentence(chosen), told.length_sentence(chosen), told.pass_mark_sentence(chosen)) if sentence
    ]
    if sentences:
        st.markdown("##### What else moves its verdict")
        st.markdown("\n".join(f"* {escaped(sentence)}" for sentence in sentences))


def _disagreements(chosen: Calibration) -> None:
    total = len(chosen.mismatches)
    st.markdown(f"##### Disagreements ({total:,})")
    if not total:
        st.markdown(":gray[None.]" if chosen.n else ":gray[Nothing was judged.]")
        return
    if not chosen.items:
        st.markdown(" ".join(code(name) for name in chosen.mismatches[:_MOST]))
        return
    st.caption(escaped(_kinds(chosen)))
    _listed(chosen.disagreements, chosen)


def _kinds(chosen: Calibration) -> str:
    """Which way it errs."""
    if chosen.kind is not Kind.BINARY:
        return "The furthest apart first. Open one to read why." if chosen.kind is Kind.MARKS else "Open one to read why."
    kind = sum(item.judge is True for item in chosen.disagreements)
    strict = len(chosen.disagreements) - kind
    return f"Too kind {_times(kind)} (it passed a bad answer), too strict {_times(strict)} (it failed a good one). Open one to read why."


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number:,} times" if number else "never"


def _errors(chosen: Calibration) -> None:
    failed = [item for item in chosen.items if item.judge is None]
    if failed:
        st.markdown(f"##### Judge errors ({len(failed):,})")
        st.caption("No verdict came; these items are in no figure.")
        _listed(failed, chosen)


@st.fragment
def _listed(items: Sequence[JudgedItem], chosen: Calibration) -> None:
    with st.container(key=f"rows-{'errors' if items[0].judge is None else 'disagreements'}"):
        for item in items[:_MOST]:
            people, judge = item.verdicts
            why = clip(item.error or item.reason, 90)
            label = f"{code(short_id(item.id, 40))} people **{escaped(people)}**, judge **{escaped(judge)}** :gray[{escaped(why)}]"
            with st.expander(label, on_change="rerun", key=f"item-{_name(chosen)}-{item.id}") as opened:
                if opened.open:
                    _item(item)
    if len(items) > _MOST:
        st.caption(f"and {len(items) - _MOST:,} more, in the download")


def _item(item: JudgedItem) -> None:
    pairs = (
        ("Item", item.id if len(item.id) > 40 else None),
        ("Asked", item.prompt),
        ("Expected", item.ground_truth),
        ("Answer A" if item.other_answer is not None else "Answer", item.answer),
        ("Answer B", item.other_answer),
        ("The judge's reason", item.reason or None),
        ("Error", item.error),
    )
    for name, text in pairs:
        if text is not None:
            st.caption(name)
            text_block(text, most=4000)


def _offer(history: Sequence[Calibration], chosen: Calibration) -> None:
    def rows() -> Any:
        from agenteval.charts.judge import calibration_rows

        return calibration_rows(history)

    def verdicts() -> Any:
        from agenteval.charts.judge import verdict_rows

        return verdict_rows(chosen)

    tables = {"calibrations": rows} | ({"verdicts": verdicts} if chosen.items else {})
    offer(f"judge-{_name(chosen)}", tables)
