"""What the adapters to frameworks share."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from agenteval.adapters.bridge import run_sync
from agenteval.adapters.framework import FrameworkAdapter, Sessions, Source, rates
from agenteval.adapters.loading import load_agent
from agenteval.adapters.pricing import Price
from agenteval.adapters.step_log import StepLog
from agenteval.errors import InputError
from agenteval.model.response import AgentResponse, Usage
from tests.runner.project import Project


class Counter:
    made = 0

    def __init__(self) -> None:
        type(self).made += 1
        self.number = type(self).made


class Talker(FrameworkAdapter):
    package = "json"
    extra = "none"

    def __init__(
        self, agent_factory: Any = None, input_cost_per_million: float | None = None, output_cost_per_million: float | None = None
    ):
        self.source = Source("agent", factory=agent_factory or Counter)
        self.sessions: Sessions[Any] = Sessions()
        self.price = rates(input_cost_per_million, output_cost_per_million)
        self.ended: list[str] = []
        self.closed = 0

    async def arun(self, prompt: str, *, session: str | None = None, **context: Any) -> AgentResponse:
        agent = self.sessions.get(session) or self.sessions.put(session, await self.source.fresh())
        await asyncio.sleep(0)
        return AgentResponse(f"{agent.number}: {prompt}", prompt_tokens=100, completion_tokens=10, model="m")

    def end_session(self, session: str) -> None:
        self.ended.append(session)
        self.sessions.end(session)

    def close(self) -> None:
        self.closed += 1
        raise RuntimeError("it went home angry")


TALKER = Talker(input_cost_per_million=2.0, output_cost_per_million=10.0)


@pytest.fixture(autouse=True)
def counted_from_one() -> None:
    Counter.made = 0


def test_the_synchronous_face_works_without_and_under_a_running_loop() -> None:
    assert Talker().run("hello").output == "1: hello"

    async def notebook() -> Any:
        return Talker().run("again")

    assert asyncio.run(notebook()).output == "2: again"


def test_what_a_bridged_coroutine_raises_is_raised_under_a_running_loop() -> None:
    async def failing() -> None:
        raise ValueError("no such model")

    async def notebook() -> None:
        run_sync(failing())

    with pytest.raises(ValueError, match="no such model"):
        asyncio.run(notebook())


def test_a_factory_is_tried_at_once_and_the_first_agent_is_used() -> None:
    source = Source("agent", factory=Counter)
    assert Counter.made == 1
    assert [asyncio.run(source.fresh()).number for _ in range(2)] == [1, 2]


def test_an_object_is_used_again_each_time() -> None:
    one = Counter()
    source = Source("agent", one)
    assert not source.makes_fresh
    assert asyncio.run(source.fresh()) is one


def test_an_async_factory_makes_each_agent_where_it_is_used() -> None:
    async def made() -> Counter:
        return Counter()

    source = Source("agent", factory=made)
    assert Counter.made == 0
    assert asyncio.run(source.fresh()).number == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "no agent is named; give exactly one of crew, crew_factory, crew_import"),
        ({"given": object(), "reference": "json:loads"}, "both crew and crew_import; give exactly one of"),
        ({"reference": "json:nothing"}, "adapter_options.crew_import: 'json' has no attribute 'nothing'"),
        ({"reference": "no_such_module:x"}, "adapter_options.crew_import: cannot import 'no_such_module'"),
        ({"factory": lambda: 1 / 0}, "raised ZeroDivisionError: division by zero; it must return a new agent without arguments"),
        ({"factory": sys.exit}, "raised SystemExit"),
    ],
)
def test_an_agent_that_cannot_be_made_is_one_line(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as raised:
        Source("crew", options.get("given"), options.get("factory"), options.get("reference"))
    assert said in str(raised.value)
    assert len(str(raised.value).splitlines()) == 1


def test_an_imported_factory_lies_in_the_repository_or_its_src(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "my_crew_of_tests.py").write_text("class Crew:\n    def crew(self):\n        return 'made'\n")
    source = Source("crew", reference="my_crew_of_tests:Crew", repo_path=tmp_path, finish=lambda made: made.crew())
    assert asyncio.run(source.fresh()) == "made"


def test_a_missing_framework_names_its_extra() -> None:
    class Missing(Talker):
        package = "no_such_framework.agents"
        extra = "nsf"

        def __init__(self) -> None:
            self.needed()

    with pytest.raises(InputError) as raised:
        load_agent(Missing, where="agents.yaml:4:14")
    assert str(raised.value) == "agents.yaml:4:14: no_such_framework is not installed; pip install 'agenteval[nsf]'"


@pytest.mark.parametrize("given", [(1.0, None), (None, 1.0), (-1.0, 1.0)])
def test_half_a_rate_is_refused(given: tuple[float | None, float | None]) -> None:
    with pytest.raises(InputError):
        rates(*given)


def test_a_run_ends_every_session_and_closes_the_agent_whatever_that_raises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = {"id": "talk", "turns": [{"prompt": "a"}, {"prompt": "b"}], "evaluators": ["no_error"]}
    (tmp_path / ".git").mkdir()
    (tmp_path / "suite.yaml").write_text(json.dumps({"cases": [case, {"id": "one", "prompt": "c", "evaluators": ["no_error"]}]}))
    (tmp_path / "talking_agent.py").write_text("from tests.adapters.test_framework import TALKER\n")
    Counter.made = 100  # apart from the one that was made with the module
    monkeypatch.syspath_prepend(str(tmp_path))
    run = Project(tmp_path).run(agent="talking_agent:TALKER").run
    talk, one = (case.output for case in run.cases)
    talked, other = (set(re.findall(r"(\d+): ", text)) for text in (talk, one))
    assert (len(talked), len(other), talked & other) == (1, 1, set())  # one agent a conversation, and another one for the next
    assert len(TALKER.ended) == 2
    assert TALKER.closed == 1
    assert TALKER.price == Price(2.0, 10.0)
    # 100 tokens at 2 USD and 10 at 10 USD a million, twice in the conversation.
    assert [(case.cost_usd, case.cost_source) for case in run.cases] == [(0.0006, "priced"), (0.0003, "priced")]


def test_parallel_calls_of_one_tool_keep_their_identity() -> None:
    log = StepLog()
    first = log.begin("tool_call", "look_up", {"id": 1}, id="a")
    second = log.begin("tool_call", "look_up", {"id": 2}, id="b")
    log.end(log.open_step("a") or 0, "one")
    assert (log.open_step("a"), log.open_step("b")) == (None, second)
    log.end(second, error="gone")
    steps = log.steps
    assert [(step.id, step.output, step.error) for step in steps] == [("a", "one", None), ("b", None, "gone")]
    assert steps[first].duration_ms is not None


def test_tokens_of_several_model_calls_are_added_and_unknown_ones_stay_unknown() -> None:
    log = StepLog()
    log.used(prompt=10, completion=2)
    log.used(prompt=5, completion=1, cached=3)
    told = log.response("x")
    assert Usage(told.prompt_tokens, told.completion_tokens, told.total_tokens, told.cached_tokens) == Usage(15, 3, None, 3)


def test_adapters_are_imported_from_the_package_by_name() -> None:
    import agenteval.adapters as adapters

    assert adapters.Replay.__name__ == "Replay"
    with pytest.raises(AttributeError):
        adapters.Nothing  # noqa: B018 - asked for on purpose
