"""One case: from the mapping as written, and what it inherits, to a ``Case``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agenteval.errors import Problem
from agenteval.suites import hashing, shape
from agenteval.suites.keys import CaseKeys, Expects, QuarantineKeys, TurnKeys
from agenteval.suites.leaves import describe
from agenteval.suites.suite import Case, Line, Quarantine, Turn, User
from agenteval.suites.user_keys import UserKeys

_BY_KEY = ("expects", "context", "metadata")
_MISPLACED = {
    **dict.fromkeys(shape.fields_of(Expects), "write it under expects"),
    "input": "write it as prompt",
    "expectPass": "write it as expect_pass",
    "ground_truth": "write it under expects",
}


def combine(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """What a case (or a file) has, given what it inherits.

    ``expects``, ``context`` and ``metadata`` are joined key by key, its own key winning; ``tags`` are joined; inherited
    ``evaluators`` come first, but for those whose name it uses itself; everything else it has replaces what it inherits.
    """
    found = {**base, **own}
    for key in _BY_KEY:
        if key in base and key in own:
            found[key] = {**base[key], **own[key]}
    if "tags" in base and "tags" in own:
        found["tags"] = list(dict.fromkeys([*base["tags"], *own["tags"]]))
    if "evaluators" in base and "evaluators" in own:
        names = {spec.name for spec in own["evaluators"]}
        found["evaluators"] = (*(spec for spec in base["evaluators"] if spec.name not in names), *own["evaluators"])
    return found


def check_case(raw: Any, path: str, problems: list[Problem]) -> dict[str, Any] | None:
    """The checked values of a case as written, or None where it has problems."""
    if not isinstance(raw, Mapping):
        problems.append(Problem(f"must be a case, not {describe(raw)}", "write a mapping with id, prompt and expects", path))
        return None
    before = len(problems)
    values = shape.check_fields(CaseKeys, raw, path, problems, misplaced=_MISPLACED)
    if "user" in raw and "turns" in raw:
        problems.append(Problem("has both turns and user", "remove one: a user who follows a script says its own lines", f"{path}.user"))
    elif "prompt" not in raw and "turns" not in raw and raw.get("user") is None:
        problems.append(Problem("prompt is required", "add it, or the turns of a conversation", path))
    return values if len(problems) == before else None


def make_case(values: dict[str, Any], path: str) -> tuple[Case, tuple[str, str]]:
    """The case of checked values, everything inherited included, and the canonical texts that its hashes stand on."""
    if "turns" in values:
        turns = values["turns"] = tuple(_turn(turn, f"{path}.turns[{index}]") for index, turn in enumerate(values["turns"]))
        values.setdefault("prompt", turns[0].prompt)
    if values.get("user") is not None:
        user = values["user"] = _user(values["user"])
        values.setdefault("prompt", user.script[0].say)
    if "tags" in values:
        values["tags"] = tuple(dict.fromkeys(values["tags"]))
    quarantine = values.get("quarantine")
    if isinstance(quarantine, QuarantineKeys):
        values["quarantine"] = Quarantine(quarantine.until, quarantine.reason)
    texts = hashing.case_texts(values)
    return Case(**values, definition=hashing.definition(texts[0]), path=path), texts


def _turn(turn: TurnKeys, path: str) -> Turn:
    return Turn(turn.prompt, turn.expects, tuple(turn.evaluators), path)


def _user(user: UserKeys) -> User:
    return User(tuple(Line(line.say, line.when, line.when_matches) for line in user.script), user.max_turns, user.stop_when)
