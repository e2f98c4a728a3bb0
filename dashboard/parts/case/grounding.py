"""What an answer stands on: its sentences against the context, which passages were found and cited, and calls made twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from agenteval import _format
from agenteval._text import clip
from agenteval.model.attempt import Attempt
from agenteval.model.passages import names_of, text_of
from parts.windows import window
from parts.words import as_text, code, escaped, text_block

if TYPE_CHECKING:
    from agenteval.charts.grounding import ClaimRow, Ids

_MOST = 20
"""Sentences, passages or calls on screen at once."""
_MOST_NAMES = 20


def grounding(shown: Attempt) -> None:
    """Unsupported sentences, ids found and missing, then everything else folded; nothing where nothing was retrieved or measured."""
    from agenteval.charts.grounding import claim_rows, id_rows

    claims, ids = claim_rows(shown), id_rows(shown)
    if not (claims or ids or shown.retrieved_context or shown.citations):
        return
    st.markdown("##### Retrieval and grounding")
    st.caption(escaped(_summary(shown, claims)))
    for row in ids:
        st.markdown(_ids(row))
    unknown = _unknown(shown)
    if unknown:
        st.markdown(f":orange[Cited, not among the passages:] {_names(unknown)}")
    bad = [row for row in claims if not row.supported]
    _claims(bad[:_MOST])
    if len(bad) > _MOST:
        st.caption(f"and {len(bad) - _MOST} more sentences without support; the download has all")
    good = [row for row in claims if row.supported]
    if good:
        with st.expander(f"{_format.count(len(good), 'sentence')} supported"):
            _claims(good[window(len(good), _MOST, "supported", "sentences")])
    if shown.retrieved_context:
        due = {name for row in ids if row.what == "retrieval" for name in row.found}
        with st.expander(_format.count(len(shown.retrieved_context), "retrieved passage")):
            _passages(shown, due, any(row.what == "retrieval" for row in ids))


def repeated(shown: Attempt) -> None:
    """Calls made more than once with the same arguments; nothing where there are none."""
    from agenteval.charts.grounding import repeated_calls

    rows = repeated_calls(shown)
    if not rows:
        return
    st.markdown("##### Repeated tool calls")
    redundant = sum(row.calls - 1 for row in rows)
    st.caption(escaped(f"{_format.count(redundant, 'redundant call')}: the same tool with the same arguments"))
    for row in rows[:_MOST]:
        st.markdown(f":orange[↻ {row.calls} calls] {code(clip(row.name, 80))}")
        text_block(row.arguments, most=500)


def _summary(shown: Attempt, claims: Sequence[ClaimRow]) -> str:
    supported = sum(row.supported for row in claims)
    words = [f"{_format.of(supported, len(claims), 'sentence')} supported by the context" if claims else ""]
    words.append(_format.count(len(shown.retrieved_context), "passage") if shown.retrieved_context else "no passage retrieved")
    words.append(_format.count(len(set(shown.citations)), "citation"))
    return " · ".join(word for word in words if word)


def _ids(row: Ids) -> str:
    what = "Relevant passages" if row.what == "retrieval" else "Expected citations"
    extra = "also retrieved" if row.what == "retrieval" else "also cited"
    turn = f" (turn {row.turn})" if row.turn else ""
    parts = [
        f":{colour}[{sign} {word}] {_names(names)}"
        for colour, sign, word, names in (
            ("red", "∅", "missing", row.missing),
            ("green", "✓", "found", row.found),
            ("gray", r"\+", extra, row.extra),
        )
        if names
    ]
    return f"{what}{turn}: {' · '.join(parts)}"


def _names(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(code(clip(name, 80)) for name in names[:_MOST_NAMES]) + more


def _claims(rows: Sequence[ClaimRow]) -> None:
    for row in rows:
        sign = ":green[✓ supported]" if row.supported else ":red[✕ not supported]"
        why = f" {escaped(row.why)}" if row.why else ""
        words = [f"turn {row.turn}"] if row.turn else []
        if row.supported and row.share is not None:
            words.append(escaped(f"{_format.rate(row.share)} of its words and figures are in the context"))
        if row.passage:
            words.append(f"nearest: {code(clip(row.passage, 80))}")
        with st.container(gap=None):
            st.markdown(f"{sign}{why}")
            st.text(row.sentence)
            if words:
                st.caption(" · ".join(words))


def _passages(shown: Attempt, relevant: set[str], declared: bool) -> None:
    cited = set(shown.citations)
    passages = list(enumerate(shown.retrieved_context, 1))
    for place, passage in passages[window(len(passages), _MOST, "passages", "passages")]:
        names = names_of(passage)
        signs = " :green-badge[✓ relevant]" if relevant.intersection(names) else " :gray-badge[not among the relevant]" if declared else ""
        signs += " :green-badge[✓ cited]" if cited.intersection(names) else ""
        st.markdown(f"{place}\\. {code(clip(names[0] if names else f'passage {place}', 80))}{signs}")
        text_block(_body(passage), most=2_000)


def _body(passage: Mapping[str, Any]) -> str:
    return text_of(passage) or as_text(passage)


def _unknown(shown: Attempt) -> list[str]:
    known = {name for passage in shown.retrieved_context for name in names_of(passage)}
    return [name for name in dict.fromkeys(shown.citations) if name not in known]
