"""``regex``: the answer matches a pattern."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from agenteval._text import clip
from agenteval.evaluators.bounded_search import search
from agenteval.evaluators.context import Context
from agenteval.model.score import Score


@dataclass(frozen=True)
class Regex:
    """The answer matches a regular expression of Python, anywhere or as a whole.

    A search that could take long is made in a process of its own and given up after 2 s, as an evaluator error.

    Attributes:
        pattern: The expression; inline flags such as (?i) are allowed.
        match: search finds it anywhere; full asks the whole answer, without white space around it, to match.
        ignore_case: Whether case does not matter.
    """

    pattern: str
    match: Literal["search", "full"] = "search"
    ignore_case: bool = False
    compiled: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.pattern:
            raise ValueError("the pattern is empty, so every answer would do")
        whole = rf"\A(?:{self.pattern})\Z" if self.match == "full" else self.pattern
        try:
            re.compile(self.pattern)
            compiled = re.compile(whole, re.IGNORECASE if self.ignore_case else 0)
        except (re.error, RecursionError, OverflowError) as error:
            raise ValueError(f"pattern {clip(self.pattern, 60)!r} is no regular expression: {error}") from None
        object.__setattr__(self, "compiled", compiled)

    def evaluate(self, context: Context) -> Score:
        """1 or 0."""
        text = context.output.strip() if self.match == "full" else context.output
        span = search(self.compiled, text)
        if span is None:
            return Score("regex", 0.0, False, f"the answer does not match {clip(self.pattern, 80)!r}")
        return Score("regex", 1.0, True, f"matches {clip(text[span[0] : span[1]], 80)!r}", {"span": list(span)})
