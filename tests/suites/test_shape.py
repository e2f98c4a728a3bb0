"""One checker of values against hints."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import pytest

from agenteval.suites import shape


@dataclass(frozen=True)
class Part:
    name: str
    weight: float = 1.0


@dataclass(frozen=True)
class Sample:
    """A sample.

    Attributes:
        limit: How many,
            at most.
        mode: Which way.
    """

    limit: int
    ratio: Annotated[float, shape.Range(ge=0, le=1)] = 0.5
    strict: bool = False
    words: tuple[str, ...] = ()
    pairs: dict[str, int] = field(default_factory=dict)
    mode: Literal["exact", "subset"] = "exact"
    part: Part | None = None
    parts: list[Part] = field(default_factory=list)
    free: Any = None
    one_or_many: str | list[str] = ""

    def __post_init__(self) -> None:
        if self.limit == 13:
            raise ValueError("13 is not allowed")


def problems_of(params: Any) -> list[str]:
    instance, problems = shape.build(Sample, params, "p")
    assert (instance is None) == bool(problems)
    return [str(problem) for problem in problems]


def test_every_kind_of_value_is_built() -> None:
    params = {
        "limit": 3,
        "ratio": 1,
        "strict": True,
        "words": ["a"],
        "pairs": {"x": 1},
        "mode": "subset",
        "part": {"name": "n"},
        "parts": [{"name": "m", "weight": 2}],
        "free": {"any": [1]},
        "one_or_many": ["a", "b"],
    }

    built, problems = shape.build(Sample, params, "p")

    assert problems == []
    assert built == Sample(3, 1.0, True, ("a",), {"x": 1}, "subset", Part("n"), [Part("m", 2.0)], {"any": [1]}, ["a", "b"])


def test_a_lone_value_is_the_first_field() -> None:
    assert shape.build(Sample, 8)[0] == Sample(8)


def test_no_parameters_leave_required_ones_out() -> None:
    assert problems_of(None) == ["p: limit is required; add it"]


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({"limit": 1, "ratoi": 1}, "p.ratoi: unknown key 'ratoi'; did you mean 'ratio'?"),
        ({"limit": "3"}, "p.limit: must be a whole number, not the text '3'; remove the quotes"),
        ({"limit": True}, "p.limit: must be a whole number, not true"),
        ("lots", "p: must be a whole number, not the text 'lots'"),
        ({"limit": 1, "ratio": 2}, "p.ratio: must be between 0 and 1, not 2.0"),
        ({"limit": 1, "ratio": float("nan")}, "p.ratio: must be a finite number, not nan"),
        ({"limit": 1, "strict": "false"}, "p.strict: must be true or false, not the text 'false'; remove the quotes"),
        ({"limit": 1, "strict": 1}, "p.strict: must be true or false, not the number 1; write true or false"),
        ({"limit": 1, "words": "sql"}, "p.words: must be a list, not the text 'sql'; write [sql]"),
        ({"limit": 1, "words": ["a", 2]}, 'p.words[1]: must be text, not the number 2; quote it: "2"'),
        ({"limit": 1, "mode": "exakt"}, "p.mode: unknown value 'exakt'; did you mean 'exact'? Allowed: exact, subset"),
        ({"limit": 1, "part": {}}, "p.part: name is required; add it"),
        ({"limit": 1, "part": 3}, "p.part: must be a mapping with name, weight, not the number 3"),
        ({"limit": 1, "parts": [{"name": "a"}, {"name": []}]}, "p.parts[1].name: must be text, not a list; write one text"),
        ({"limit": 1, "free": [float("inf")]}, 'p.free[0]: must be a finite number; quote it: "inf"'),
        ({"limit": 13}, "p: 13 is not allowed"),
        ({"limit": 1, "one_or_many": ["a", True]}, 'p.one_or_many[1]: must be text, not true; quote it: "true"'),
    ],
)
def test_a_wrong_value_is_named_with_the_way_out(params: Any, expected: str) -> None:
    assert problems_of(params) == [expected]


def test_the_schema_closes_objects_and_describes_keys() -> None:
    schema = shape.json_schema(Sample)

    assert schema["additionalProperties"] is False
    assert schema["required"] == ["limit"]
    assert schema["properties"]["limit"] == {"type": "integer", "description": "How many, at most."}
    assert schema["properties"]["ratio"] == {"type": "number", "minimum": 0, "maximum": 1}
    assert schema["properties"]["mode"] == {"enum": ["exact", "subset"], "description": "Which way."}
    assert schema["properties"]["words"] == {"type": "array", "items": {"type": "string"}}
    assert schema["properties"]["one_or_many"] == {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
