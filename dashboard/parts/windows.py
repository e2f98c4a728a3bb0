"""A part of a long list, chosen in the address: what is huge opens as quickly as what is small."""

from __future__ import annotations

import streamlit as st


def window(total: int, size: int, key: str, noun: str, *, first: int = 0) -> slice:
    """The part of ``total`` things on screen; all of them where they fit, else a choice of parts of ``size`` (URL: ``key=61-120``).

    Args:
        first: Index of the thing whose part is shown before anyone chose.
    """
    if total <= size:
        return slice(0, total)
    parts = {f"{start + 1}-{min(start + size, total)}": slice(start, start + size) for start in range(0, total, size)}
    label = f"{noun.capitalize()} shown, of {total:,}"
    return parts[st.selectbox(label, list(parts), index=first // size, key=key, bind="query-params", width=220)]
