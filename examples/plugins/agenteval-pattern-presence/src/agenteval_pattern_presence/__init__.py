"""``keyword_contains`` and ``pattern_presence``: what an answer, and the way to it, must and must not hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from agenteval.evaluators import Context
from agenteval.model.score import Score

Place = Literal["output", "tools", "nodes", "trajectory"]


def keyword_contains(context: Context, keyword: str) -> Score:
    """The answer holds the keyword, upper and lower case alike."""
    if not keyword.strip():
        raise ValueError("the keyword is empty")
    holds = keyword.strip().casefold() in context.output.casefold()
    return Score("keyword_contains", float(holds), holds, f"the answer {'holds' if holds else 'does not hold'} {keyword!r}")


@dataclass(frozen=True)
class PatternPresence:
    """Words and patterns that must be there are, and those that must not are not.

    Attributes:
        must_contain: Texts that must be found.
        must_not_contain: Texts that must not be found.
        must_match: Regular expressions that must match somewhere.
        must_not_match: Regular expressions that must match nowhere.
        case_sensitive: Whether upper and lower case differ.
        search_in: Where to look: output is the answer, tools the names of called tools, nodes (or trajectory) those of fired nodes.
    """

    must_contain: tuple[str, ...] = ()
    must_not_contain: tuple[str, ...] = ()
    must_match: tuple[str, ...] = ()
    must_not_match: tuple[str, ...] = ()
    case_sensitive: bool = False
    search_in: tuple[Place, ...] = ("output", "tools", "nodes")

    def __post_init__(self) -> None:
        """Refuse what could only fail later; a ValueError here becomes a problem of the suite, with its place in the file."""
        rules = list(self._rules())
        if not rules:
            raise ValueError("name at least one of must_contain, must_not_contain, must_match, must_not_match")
        if not self.search_in:
            raise ValueError("search_in names no place")
        for pattern, wanted, text in rules:
            if not text:
                raise ValueError("an empty text is found everywhere")
            try:
                re.compile(pattern)
            except re.error as error:
                raise ValueError(f"{'must_match' if wanted else 'must_not_match'}: {text!r} is no regular expression: {error}") from None

    def evaluate(self, context: Context) -> Score:
        """The share of rules that hold; passes where all do."""
        searched = "\n".join(self._places(context))
        flags = 0 if self.case_sensitive else re.IGNORECASE
        rules = list(self._rules())
        broken = [
            f"{'missing' if wanted else 'forbidden but there'}: {text!r}"
            for pattern, wanted, text in rules
            if bool(re.search(pattern, searched, flags)) is not wanted
        ]
        reason = "; ".join(broken) or f"all {len(rules)} rules hold"
        return Score("pattern_presence", 1 - len(broken) / len(rules), not broken, reason, {"broken": broken})

    def _rules(self) -> Iterator[tuple[str, bool, str]]:
        """Pattern, whether it must be found, and the text as written."""
        for texts, wanted in ((self.must_contain, True), (self.must_not_contain, False)):
            yield from ((re.escape(text), wanted, text) for text in texts)
        for texts, wanted in ((self.must_match, True), (self.must_not_match, False)):
            yield from ((text, wanted, text) for text in texts)

    def _places(self, context: Context) -> Iterator[str]:
        if "output" in self.search_in:
            yield context.output
        if "tools" in self.search_in:
            yield from (call.name for call in context.attempt.tool_calls)
        if "nodes" in self.search_in or "trajectory" in self.search_in:
            yield from context.attempt.nodes_fired
