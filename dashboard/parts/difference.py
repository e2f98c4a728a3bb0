"""Two texts word by word, in Markdown in which nothing of them is read as such."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from agenteval.compare.lcs import common_pairs
from parts.words import escaped

_TOKENS = re.compile(r"\S+|\n[ \t\r\f\v]*")
MOST = 2_500
"""Words of each text, behind what both begin with, that are compared."""
_CONTEXT = 240
"""Characters shown on each side of a long part that is the same."""
_LONG = 2 * _CONTEXT + 160


class Piece(NamedTuple):
    """A stretch of words: in both texts, or in one alone where the other is empty. ``same`` says which."""

    same: bool
    then: tuple[str, ...]
    now: tuple[str, ...]


def word_difference(then: str, now: str) -> str:
    """Both texts as one: removed words struck through, added ones bold.

    >>> word_difference("not eligible for it", "now eligible for it")
    ':red[~~not~~] :green[**now**] eligible for it'
    """
    before, after = _common(then, now)
    parts = [_fold(then[:before], head=False)]
    for piece in pieces(then[before : len(then) - after], now[before : len(now) - after]):
        parts += [_fold(_text(piece.then))] if piece.same else [_marked(piece.then, _removed), _marked(piece.now, _added)]
    parts.append(_fold(then[len(then) - after :], tail=False))
    return _joined(parts)


def word_columns(then: str, now: str) -> tuple[str, str]:
    """Both texts beside each other: what only the first says is struck through there, what only the second says is bold there."""
    before, after = _common(then, now)
    left, right = [_fold(then[:before], head=False)], [_fold(now[:before], head=False)]
    for piece in pieces(then[before : len(then) - after], now[before : len(now) - after]):
        if piece.same:
            left.append(_fold(_text(piece.then)))
            right.append(left[-1])
        else:
            left.append(_marked(piece.then, _removed))
            right.append(_marked(piece.now, _added))
    left.append(_fold(then[len(then) - after :], tail=False))
    right.append(_fold(now[len(now) - after :], tail=False))
    return _joined(left), _joined(right)


def cut(then: str, now: str) -> str:
    """What is said where more words differ than are compared; "" where all are."""
    before, after = _common(then, now)
    longest = max(len(text) - before - after for text in (then, now))
    if longest <= MOST or all(_count(text[before : len(text) - after]) <= MOST for text in (then, now)):
        return ""
    return f"The first {MOST:,} words from the first difference on are compared; the stored records have all."


def pieces(then: str, now: str) -> list[Piece]:
    """The stretches of two texts along a longest common subsequence of their words.

    A short stretch in common between two long differences is counted to the difference: single words that happen to recur say nothing.
    """
    before, after = _words(then), _words(now)
    found: list[Piece] = []
    i = j = 0
    for next_i, next_j in [*common_pairs(before, after), (len(before), len(after))]:
        if next_i > i or next_j > j:
            found.append(Piece(False, before[i:next_i], after[j:next_j]))
        if next_i < len(before) and next_j < len(after):
            word = before[next_i : next_i + 1]
            last = found[-1] if found and found[-1].same else None
            if last is None:
                found.append(Piece(True, word, word))
            else:
                found[-1] = Piece(True, last.then + word, last.now + word)
        i, j = next_i + 1, next_j + 1
    return _readable(found)


def _readable(found: Sequence[Piece]) -> list[Piece]:
    merged: list[Piece] = []
    for place, piece in enumerate(found):
        inner = 0 < place < len(found) - 1
        if piece.same and inner and len(piece.then) < min(_size(found[place - 1]), _size(found[place + 1])) / 2 and "\n" not in piece.then:
            piece = Piece(False, piece.then, piece.now)
        if not piece.same and merged and not merged[-1].same:
            piece = Piece(False, merged[-1].then + piece.then, merged.pop().now + piece.now)
        merged.append(piece)
    return merged


def _size(piece: Piece) -> int:
    return max(len(piece.then), len(piece.now))


def _words(text: str) -> tuple[str, ...]:
    return tuple("\n" if match.group()[0] == "\n" else match.group() for match in islice(_TOKENS.finditer(text), MOST))


def _count(text: str) -> int:
    return sum(1 for _ in islice(_TOKENS.finditer(text), MOST + 1))


def _common(then: str, now: str) -> tuple[int, int]:
    """How many characters both begin and end with, whole words only; found by halving, since answers can be megabytes long."""
    if then == now:
        return len(then), 0
    shortest = min(len(then), len(now))
    before = _longest(shortest, lambda size: then[:size] == now[:size])
    while before and not (then[before - 1].isspace() and now[before - 1].isspace()):
        before -= 1
    after = _longest(shortest - before, lambda size: then[len(then) - size :] == now[len(now) - size :])
    while after and not (then[len(then) - after].isspace() and now[len(now) - after].isspace()):
        after -= 1
    return before, after


def _longest(most: int, holds: Callable[[int], bool]) -> int:
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if holds(middle) else (low, middle - 1)
    return low


def _text(words: Sequence[str]) -> str:
    return " ".join(words)


def _fold(text: str, *, head: bool = True, tail: bool = True) -> str:
    """A part in both texts; the middle of a long one is left out, and said. Its ends matter only where a difference follows them."""
    if len(text) <= _LONG:
        return _lines(text)
    start, end = text[:_CONTEXT] if head else "", text[-_CONTEXT:] if tail else ""
    left_out = f":gray[*… {len(text) - len(start) - len(end):,} characters the same …*]"
    return "\n\n".join(part for part in (_lines(start), left_out, _lines(end)) if part)


def _lines(text: str, mark: Callable[[str], str] = str) -> str:
    """Escaped text that keeps its line breaks, each line marked by itself."""
    return "  \n".join(mark(escaped(line)) if line.strip() else "" for line in text.split("\n"))


def _marked(words: Sequence[str], mark: Callable[[str], str]) -> str:
    return _lines(_text(words), mark)


def _removed(text: str) -> str:
    return f":red[~~{text}~~]"


def _added(text: str) -> str:
    return f":green[**{text}**]"


def _joined(parts: Sequence[str]) -> str:
    return " ".join(_blank_lines(part for part in parts if part)) or "(empty answer)"


def _blank_lines(parts: Iterator[str]) -> Iterator[str]:
    """Paragraphs: Markdown wants an empty line where the text has one."""
    return (re.sub(r"(?:  \n){2,}", "\n\n", part) for part in parts)
