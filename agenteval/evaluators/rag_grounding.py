"""Whether a context supports a sentence: by its words, its figures, and by what either of them denies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from agenteval._text import clip
from agenteval.evaluators.context import Context
from agenteval.evaluators.hallucination import Support
from agenteval.evaluators.quantities import READ_LIMIT, Quantity, read
from agenteval.evaluators.rag_text import Words, assertions, clauses_of, joined, sentences
from agenteval.model.passages import names_of, text_of

ENOUGH = 0.5
"""Least share of a sentence's words and figures that the context must hold."""

MOST_CLAIMS = 500
"""Sentences of one answer that are judged."""

_MOST_CONTEXT = 500_000
_MOST_PLACES = 500
"""Sentences of the context that are looked up by one word: what stands in more of them tells little about the nearest."""
_TOLERANCE = "0.01"


class Passage(NamedTuple):
    """A piece of context: what it is called, its other names, what it says."""

    name: str
    names: tuple[str, ...]
    text: str


class Claim(NamedTuple):
    """A sentence of an answer, held against the context.

    Attributes:
        supported: Every figure is in the context, so are at least half of words and figures, and the denials agree.
        share: Of its content words and figures, those in the context, in [0, 1].
        passage: Name of the passage whose sentence shares most of its words; None where none shares any.
        why: What is missing; "" where it is supported.
    """

    sentence: str
    supported: bool
    share: float
    passage: str | None
    why: str

    def evidence(self) -> dict[str, Any]:
        """As stored."""
        told = {"sentence": clip(self.sentence, 240), "supported": self.supported, "share": round(self.share, 3), "passage": self.passage}
        return told | ({"why": self.why} if self.why else {})


def passages_of(context: Context) -> tuple[Passage, ...]:
    """What the agent retrieved; where it reports nothing retrieved, the case's ``reference_context``."""
    found = context.attempt.retrieved_context
    if found:
        named = [(names_of(passage), text_of(passage)) for passage in found]
        return tuple(Passage(names[0] if names else f"passage {at}", tuple(names), text) for at, (names, text) in enumerate(named, 1))
    given = context.expects.get("reference_context") or ()
    return tuple(Passage(f"reference {at}", (), str(text)) for at, text in enumerate(given, 1))


def grounding_of(context: Context) -> Grounding | None:
    """The context of an attempt, read once for all its measures; None where there is none or it says nothing."""
    passages = passages_of(context)
    if not any(passage.text.strip() for passage in passages):
        return None
    return _grounding(passages, str(context.expects.get("locale") or "en"))


@lru_cache(maxsize=4)
def _grounding(passages: tuple[Passage, ...], locale: str) -> Grounding:
    return Grounding(passages, locale)


def figures_of(text: str, locale: str) -> list[Quantity]:
    """The figures that a text states in digits: no denied values, no labels (``page 12``), no number words."""
    reading = read(text[:READ_LIMIT], locale)
    stated = (found for found in reading.quantities if not found.negated and not found.soft)
    return [found for found in stated if any(map(str.isdigit, reading.text[found.start : found.end]))]


class Grounding:
    """A context, ready to be asked. Of a very long one its first 500,000 characters count."""

    def __init__(self, passages: Sequence[Passage], locale: str = "en") -> None:
        self.passages = tuple(passages)
        self.locale = locale
        self.words: list[frozenset[str]] = []
        self._passage_of: list[int] = []
        self._clauses: list[tuple[int, Words]] = []
        self._known: set[tuple[Words, ...]] = set()
        self._places: dict[str, list[int]] = {}
        left = _MOST_CONTEXT
        for at, passage in enumerate(self.passages):
            text = passage.text[: max(0, left)]
            left -= len(text)
            self.words.append(self._read(at, text))
        self.all_words = frozenset().union(*self.words)

    def _read(self, at: int, text: str) -> frozenset[str]:
        every: set[str] = set()
        for sentence in sentences(text):
            clauses = tuple(clauses_of(sentence))
            every |= joined(clauses).all
            if clauses in self._known:
                continue
            self._known.add(clauses)
            for clause in clauses:
                for word in clause.all:
                    places = self._places.setdefault(word, [])
                    if len(places) < _MOST_PLACES:
                        places.append(len(self._clauses))
                self._clauses.append((len(self._passage_of), clause))
            self._passage_of.append(at)
        return frozenset(every)

    @cached_property
    def _figures(self) -> Support:
        return self._support([passage.text for passage in self.passages])

    def _support(self, texts: Sequence[str]) -> Support:
        from decimal import Decimal

        return Support([_with_digits(text) for text in texts], self.locale, Decimal(_TOLERANCE))

    def states(self, figure: Quantity) -> bool:
        """Whether the context holds a figure, within 0.01; a percentage also as a share."""
        return self._figures.supports(figure)

    def claims(self, answer: str, names: Sequence[str] = ()) -> list[Claim]:
        """Each asserting sentence of an answer, judged; those without content words and figures are none. At most ``MOST_CLAIMS``."""
        known = [*names, *(name for passage in self.passages for name in passage.names)]
        found = (self.claim(sentence) for sentence in assertions(answer[:READ_LIMIT], known)[:MOST_CLAIMS])
        return [claim for claim in found if claim is not None]

    def claim(self, sentence: str) -> Claim | None:
        """One sentence, judged; None where it holds neither content words nor figures."""
        figures = figures_of(sentence, self.locale)
        clauses = clauses_of(_without(sentence, figures))
        words = joined(clauses)
        total = len(words.all) + len(figures)
        if not total:
            return None
        absent = [sentence[figure.start : figure.end].strip() for figure in figures if not self.states(figure)]
        lost = words.all - self.all_words
        share = (total - len(absent) - len(lost)) / total
        passage = self._nearest(words)
        if passage is None and figures and not absent:
            passage = next((found.name for found in self.passages if self._support([found.text]).supports(figures[0])), None)
        why = ""
        if absent:
            why = f"the context does not state {', '.join(absent[:5])}"
        elif share < ENOUGH:
            why = f"only {total - len(lost)} of {total} words and figures are in the context"
        elif any(self._clashes(clause) for clause in clauses):
            why = "it denies what the context says" if words.denied else "the context denies it"
        return Claim(sentence, not why, share, passage, why)

    def _nearest(self, claim: Words) -> str | None:
        """The passage whose sentence shares most words, the first of equals; None where none shares any."""
        shared = Counter(place for word in claim.all for place in {self._clauses[clause][0] for clause in self._places.get(word, ())})
        if not shared:
            return None
        most = max(shared.values())
        return self.passages[self._passage_of[min(place for place, count in shared.items() if count == most)]].name

    def _clashes(self, clause: Words) -> bool:
        """Whether all clauses of the context that share most of its words deny what it does not, or the reverse."""
        shared = Counter(place for word in clause.all for place in self._places.get(word, ()))
        if not shared:
            return False
        most = max(shared.values())
        return not any(_agree(clause, self._clauses[place][1]) for place, count in shared.items() if count == most)


def _with_digits(text: str) -> str:
    """The sentences of a text that hold digits, all of it where none does: reading numbers is the slow part."""
    kept = [sentence for sentence in sentences(text) if any(map(str.isdigit, sentence))]
    return "\n".join(kept) if kept else text


def _agree(claim: Words, said: Words) -> bool:
    """Whether both deny something of what they have in common, or neither does."""
    if not claim.denied and not said.denied:
        return True
    common = claim.all & said.all
    return common.isdisjoint(claim.denied) is common.isdisjoint(said.denied)


def _without(sentence: str, figures: Sequence[Quantity]) -> str:
    """A sentence with its figures blanked, in place."""
    for figure in figures:
        sentence = f"{sentence[: figure.start]}{' ' * (figure.end - figure.start)}{sentence[figure.end :]}"
    return sentence
