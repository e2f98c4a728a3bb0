"""Sentences and content words, in any script, with what is denied: what grounding compares."""

# ruff: noqa: RUF001 (the typographic characters that answers hold)

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from agenteval.evaluators.distractors import list_markers
from agenteval.evaluators.folding import folded


class Words(NamedTuple):
    """The content words of a text, and those among them that it denies."""

    all: frozenset[str]
    denied: frozenset[str]


_MARKS = r"\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0eff\u1000-\u109f\u1780-\u17d3"
"""Combining marks, which Python's ``\\w`` leaves out: without them words of Hindi or Thai fall apart."""
_WORD = rf"(?:[^\W_]+|[{_MARKS}]+)+"
_PIECE = re.compile(rf"({_WORD}(?:'{_WORD})*)|[,;:()，、；：]")
_UNPARTED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+")
"""Scripts without spaces between words."""


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_FUNCTION_WORDS = _listed(
    "a about also am an and any are as at be been being by can could did do does each for from had has have he her here him his how i if in"
    " into is it its just many may me might much must my of on or our please she should so some such than thanks that the their them then"
    " there these they this those through to too us very was we were what when where which while who whom whose why will with would yes you"
    " your ok okay sure certainly hello hi"
)
_DENIALS = _listed("no not never none nobody nothing nor neither without cannot nicht nie niemals ohne ni jamais nunca sin")
_TURNS = _listed("but however although though whereas except aber sondern jedoch mais pero")
_RESTARTS = _listed("can could is are was were will would may must has have do does they it you we he she i")
_DENIED_WHOLE = re.compile("不是|不会|不會|不能|不得|没有|沒有|并非|並非|ではな|じゃな|ません|ない")


def words_of(text: str) -> Words:
    """The content words of a text: folded, without function words of English, an English plural's s and possessives.

    Scripts that do not part their words count by pairs of characters. Denied are the words between a denial and the end of its clause.

    >>> words = words_of("The shop isn't open, but refunds are.")
    >>> sorted(words.all), sorted(words.denied)
    (['open', 'refund', 'shop'], ['open'])
    """
    return joined(clauses_of(text))


def joined(clauses: Iterable[Words]) -> Words:
    """The words of several clauses."""
    parts = list(clauses)
    return Words(frozenset().union(*(part.all for part in parts)), frozenset().union(*(part.denied for part in parts)))


def clauses_of(text: str) -> list[Words]:
    """The words of each clause, as ``words_of`` has them; clauses end at commas and the like, at "but" and at "and can", "and are"."""
    found: list[Words] = []
    every: set[str] = set()
    denied: set[str] = set()
    denying, previous = False, ""
    for piece in _PIECE.finditer(folded(text)):
        token = piece[1]
        if token is None or token in _TURNS or (previous == "and" and token in _RESTARTS):
            if every:
                found.append(Words(frozenset(every), frozenset(denied)))
                every, denied = set(), set()
            denying = False
        elif token == "only" and previous == "not":
            denying = False
        elif token in _DENIALS or token.startswith("kein") or token.endswith("n't"):
            denying = True
        elif token not in _FUNCTION_WORDS:
            forms = list(_forms(token))
            every.update(forms)
            if denying or _DENIED_WHOLE.search(token):
                denied.update(forms)
        previous = token or ""
    if every:
        found.append(Words(frozenset(every), frozenset(denied)))
    return found


def _forms(token: str) -> Iterator[str]:
    end = 0
    for run in _UNPARTED.finditer(token):
        if run.start() > end:
            yield _singular(token[end : run.start()])
        chars, end = run[0], run.end()
        yield from (chars[at : at + 2] for at in range(max(1, len(chars) - 1)))
    if end < len(token):
        yield _singular(token[end:])


def _singular(word: str) -> str:
    word = word.partition("'")[0] or word
    return word[:-1] if len(word) > 3 and word[-1] == "s" and word[-2] not in "sui" else word


_END = re.compile(r"(?<=[.!?…])[\"'”’)\]*_]*\s+(?=\S)|(?<=[。！？｡।])")
_SHORT = re.compile(r"(?:^|[\s(])(?:[^\W\d_]|Dr|Mr|Mrs|Ms|St|Prof|vs|approx|ca|etc|No|Nr|e\.g|i\.e|z\.B|bzw)\.$")
_MARKER = re.compile(r"\d{1,3}[.)]")
_FIRST_INSIDE = re.compile(r":[ \t]+(?=\(?1[.)]\s)")
_BULLET = re.compile(r"^[\s>#*•|+–—-]+(?=[^\d]|\d+[^\d])")
_LINK = re.compile(r"(?:https?|ftp)://[^\s<>()\[\]]+")
_BRACKETS = re.compile(r"\[([^\[\]\n]{1,80})\]|【([^】\n]{1,80})】")
_ORDINAL = re.compile(r"\^?\d{1,3}(?:\s*[–-]\s*\d{1,3})?")


def sentences(text: str) -> list[str]:
    """A text's sentences and lines, without the bullets before them; no split after common abbreviations or before a small letter.

    >>> sentences("Dr. Ito lives in Tokyo. It rains.")
    ['Dr. Ito lives in Tokyo.', 'It rains.']
    """
    return [sentence for line in text.splitlines() for sentence in _of_line(_BULLET.sub("", line))]


def _of_line(line: str) -> Iterator[str]:
    held: list[str] = []
    for part in _END.split(line):
        piece = part.strip()
        last = held[-1] if held else ""
        if last and not (last.endswith(".") and (piece[:1].islower() or _SHORT.search(last[-8:]))):
            yield " ".join(held)
            held = []
        if piece:
            held.append(piece)
    if held:
        yield " ".join(held)


_DECLINES = re.compile(
    r"\b(?:i|we)(?:'m| am|'re| are)? (?:sorry|afraid|unable|not able|not sure"
    r"|(?:do not|don't|cannot|can't|can not|could not|couldn't|did not|didn't) (?:know|find|answer|help|see|have|tell|say|determine))\b"
    r"|\b(?:context|documents?|passages?|sources?|information|text)(?: provided)? "
    r"(?:does not|do not|doesn't|don't) (?:say|mention|contain|provide|include|specify|state)\b"
)


def assertions(answer: str, names: Collection[str] = ()) -> list[str]:
    """The sentences in which an answer asserts something.

    Left out are questions, lines that end in a colon, and sentences that say only that the agent does not know. List markers, links and
    marks of citations (``[1]``, ``[doc1]`` where ``names`` has it) are taken out.

    >>> assertions("Results:\\n1. Tokyo is the capital [2].\\nAnything else?")
    ['Tokyo is the capital .']
    """
    known = {name.casefold() for name in names}
    text = _FIRST_INSIDE.sub(":\n", _LINK.sub(" ", answer))
    text = _BRACKETS.sub(lambda found: " " if _cites(found[1] or found[2], known) else found[0], _without_markers(text))
    return [sentence for sentence in sentences(text) if _asserts(sentence)]


def _without_markers(text: str) -> str:
    """A text with each list marker turned into the end of a line."""
    parts, position = [], 0
    for start in sorted(list_markers(text)[0]):
        marker = _MARKER.match(text, start)
        if marker:
            parts.append(text[position:start].removesuffix("("))
            position = marker.end()
    return "\n".join([*parts, text[position:]])


def _cites(inside: str, known: set[str]) -> bool:
    parts = [part.strip() for part in re.split("[,;]", inside)]
    return all(_ORDINAL.fullmatch(part) or part.casefold() in known for part in parts)


def _asserts(sentence: str) -> bool:
    if sentence.rstrip("*_\"'”’) ").endswith(("?", "？", ":", "：")):
        return False
    return _DECLINES.search(folded(sentence)) is None or any(map(str.isdigit, sentence))
