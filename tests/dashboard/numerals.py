"""Every number that a page shows, with what stands around it: walked off the elements that Streamlit sent, nothing asked of the page."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

_TEXT = ("markdown", "caption", "page_link", "metric", "html", "progress")
_STORED = ("code", "text", "json")
"""Elements that show stored text as it is; their digits are no numbers of the page."""

_NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
_UNIT = r"(?:%|\ ms\b|\ min\b(?:\ \d+\ s\b)?|\ s\b|\ pts?\b)?"
_ONE = rf"[−+<>]*\$?{_NUMBER}{_UNIT}"
TOKEN = re.compile(
    rf"""
    \bp\ [=<]\ {_NUMBER}                                             # p = .28
    | \bn\ (?:at\ least\ )?{_NUMBER}(?:\ [a-z]+)?                    # n 8, n 3 cases
    | pass[\^@]{_NUMBER}                                           # pass^5
    | \[[−+]*{_NUMBER}%?,\ [−+]*{_NUMBER}%?\](?:\ pts)?            # [−40.3, +7.7] pts
    | {_NUMBER}\ of\ {_NUMBER}(?:\ [a-z]+)?                        # 13 of 18, 2 of 3 turns
    | {_ONE}–{_ONE}                                                # 49–88%, 412 ms–1.9 s
    | [−+<>]*\$?{_NUMBER}(?:%|\ ms\b|\ min\b(?:\ \d+\ s\b)?|\ s\b|\ pts?\b)   # 72%, 1.4 s, −21.6 pts
    | [−+<>]*\$?{_NUMBER}(?:\ [a-z]+)?                             # 9 runs, $0.0093, 0.90
    """,
    re.VERBOSE,
)

MASKS = (
    # What names things: ids, moments, commits. An age depends on the clock.
    r"\d{8}T\d{6}Z-[0-9a-z]+(?:-dirty)?-[0-9a-f]{6}",
    r"\d{4}-\d\d-\d\d(?: \d\d:\d\d UTC)?",
    r"\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d\d(?: \d\d:\d\d)?",
    r"\b\d+ (?:min|h|days?|months?|years?) ago|\bin \d+ (?:min|h|days?|months?)\b",
    # Names of measures.
    r"\b(?:p50|p95|F1)\b|_(?:p50|p95)_ms|_f1_avg|min_trajectory_f1",
    # Conventions that the docs state, in fixed words.
    r"95% intervals?|(?:Newcombe|bootstrap) 95%|with power 80%|in at least 80% of the attempts|fewer than 10 cases",
    r"a number is a score between 0 and 1|Scores, from 0 to 1|the newest 100 at most",
)
"""What is no number of a page, each with its reason."""


class Piece(NamedTuple):
    """A row, a card or a sentence of a page: its text in the order of reading, and the numbers in it."""

    text: str
    numbers: tuple[str, ...]


def plain(text: str) -> str:
    """Markdown as a reader sees it: no escapes, colours, marks."""
    text = re.sub(r"\\([!-/:-@\[-`{-~])", "\x00\\1", text.replace("\u2060", ""))
    text = re.sub(r"(?<!\x00):[a-z]+-?[a-z]*\[", "", text)
    text = re.sub(r"(?<!\x00)[`*]|(?<!\x00)~~|(?<!\x00)\]|^#+ |&nbsp;", "", text)
    return " ".join(text.replace("\x00", "").replace("  \n", " · ").split())


def numbers(text: str, names: Sequence[str] = ()) -> tuple[str, ...]:
    """The numbers of a text with their units and nouns, in order; ``names`` of the data hold none."""
    for mask in MASKS:
        text = re.sub(mask, "~", text)
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, "~")
    return tuple(match.group() for match in TOKEN.finditer(text))


def pieces(block: Any, names: Sequence[str] = ()) -> list[Piece]:
    """Everything below a block that holds a number."""
    found = [Piece(text, numbers(text, names)) for text in _texts(block)]
    return [piece for piece in found if piece.numbers]


def _texts(block: Any) -> Iterator[str]:
    label = getattr(block, "label", None)
    if label and block.type in ("expander", "popover", "status"):
        yield plain(label)
    children = list(block.children.values())
    columns = [child for child in children if child.type == "column"]
    if columns and len(columns) == len(children) and all(_is_cell(column) for column in columns):
        yield " | ".join(filter(None, (" ".join(_leaves(column)) for column in columns)))
        return
    for child in children:
        if child.type == "column" and _is_card(child):
            yield " | ".join(_leaves(child))
        elif hasattr(child, "children"):
            yield from _texts(child)
        else:
            yield from filter(None, [_text(child)])


def _is_cell(block: Any) -> bool:
    """A column of a row: words only."""
    return all(not hasattr(child, "children") and child.type in (*_TEXT, *_STORED) for child in block.children.values())


def _is_card(block: Any) -> bool:
    """A column about one measure: its title, its words, perhaps its figure."""
    kinds = [element.type for element in _elements(block)]
    titles = sum(element.type == "markdown" and str(element.value).startswith("**") for element in _elements(block))
    return "metric" in kinds or (kinds.count("plotly_chart") == 1 and titles == 1)


def _elements(block: Any) -> Iterator[Any]:
    for child in block.children.values():
        if hasattr(child, "children"):
            yield from _elements(child)
        else:
            yield child


def _leaves(block: Any) -> Iterator[str]:
    yield from filter(None, map(_text, _elements(block)))


def _text(element: Any) -> str:
    if element.type == "metric":
        return " · ".join(filter(None, (plain(element.label), plain(str(element.value)), plain(str(element.delta or "")))))
    if element.type == "page_link":
        return plain(element.proto.label)
    if element.type == "html":
        return " · ".join(re.findall(r'title="([^"]*)"', str(element.value)))
    if element.type == "progress":
        return f"{element.proto.value}% done"
    if element.type in ("button", "download_button"):
        return plain(element.proto.label)
    return plain(str(element.value)) if element.type in _TEXT and not _is_difference(str(element.value)) else ""


def _is_difference(text: str) -> bool:
    """Two stored answers word by word."""
    return ":red[~~" in text or (":green[**" in text and not text.startswith(("**", ":green[**✓")))


def tables(block: Any) -> list[Any]:
    """The DataFrames of a page, in order."""
    return [element.value for element in _elements(block) if element.type in ("arrow_data_frame", "dataframe")]


def figures(block: Any) -> dict[str, Any]:
    """The figures of a page as the browser gets them, numbers in lists, by their alternative text."""
    drawn = (element.proto for element in _elements(block) if element.type == "plotly_chart")
    return {proto.alt: _listed(json.loads(proto.spec)) for proto in drawn}


def _listed(part: Any) -> Any:
    """Packed arrays as lists."""
    if isinstance(part, dict) and "bdata" in part:
        found = np.frombuffer(base64.b64decode(part["bdata"]), dtype=part["dtype"])
        shape = [int(size) for size in str(part.get("shape", len(found))).split(",")]
        return found.reshape(shape).tolist()
    if isinstance(part, dict):
        return {name: _listed(value) for name, value in part.items()}
    return [_listed(value) for value in part] if isinstance(part, list) else part


def sparks(block: Any) -> dict[str, list[float]]:
    """The little lines of cards, by their title."""
    return {plain(element.label): list(element.proto.chart_data) for element in _elements(block) if element.type == "metric"}
