"""Whatever bytes a file holds, reading it ends with a suite and problems, never with a traceback."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agenteval.errors import InputError, Problem
from agenteval.suites import read, read_registry
from agenteval.suites.suite import Suite

SUITE = (
    "version: 1\nname: s\ndefaults: &d {tags: [t], expects: {ground_truth: no}}\ncases:\n- <<: {a: b}\n  id: 'x'\n  prompt: \"y\\u0041\"\n"
    "  turns: [{prompt: p, expects: {retained_facts: [f]}}]\n  evaluators: [{contains: x, not: true}, "
    "exact]\n  quarantine: {until: 2026-01-01}\n"
    "- !!str z\n- *d\n"
)
SUFFIXES = st.sampled_from([".yaml", ".json", ".jsonl", ".csv"])
QUICK = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def read_bytes(source: bytes, suffix: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"s{suffix}"
        path.write_bytes(source)
        suite, problems = read(path, shown="s")
        assert isinstance(suite, Suite)
        assert all(isinstance(problem, Problem) and "\n" not in str(problem) for problem in problems)
        assert suite.cases or problems
        try:
            read_registry(path, start=path.parent)
        except InputError as error:
            assert error.problems


@QUICK
@given(st.binary(max_size=200), SUFFIXES)
def test_any_bytes(source: bytes, suffix: str) -> None:
    read_bytes(source, suffix)


@QUICK
@given(st.text(alphabet="-:?[]{}&*!|>'\"%@`#,~<= \n\tab01nyo./\\u", max_size=120), SUFFIXES)
def test_any_text_of_special_characters(text: str, suffix: str) -> None:
    read_bytes(text.encode("utf-8", "surrogatepass"), suffix)


@QUICK
@given(st.integers(0, len(SUITE)), st.integers(0, 12), st.text(alphabet="-:?[]{}&*!|>'\"%@#,~< \n\tx0", max_size=6))
def test_a_suite_with_one_mutation(start: int, length: int, inserted: str) -> None:
    read_bytes((SUITE[:start] + inserted + SUITE[start + length :]).encode(), ".yaml")


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "prompt", "expects", "turns", "tags", "evaluators", "input", "a.b"]), inner)
    ),
    max_leaves=12,
)


@QUICK
@given(JSON_VALUES, st.sampled_from([".json", ".jsonl", ".yaml"]))
def test_any_json(value: object, suffix: str) -> None:
    read_bytes(json.dumps(value).encode(), suffix)
