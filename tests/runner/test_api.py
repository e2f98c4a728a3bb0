import asyncio

import pytest

import agenteval
from agenteval.errors import InputError
from tests.runner.agents import by_seed, echo, echo_async
from tests.runner.project import statuses


def test_every_public_name_is_there():
    assert sorted(agenteval.__all__) == sorted(
        ["AgentAdapter", "AgentResponse", "Score", "Step", "arun_suite", "compare_runs", "evaluator", "load_run", "load_suite", "run_suite"]
    )
    assert all(callable(getattr(agenteval, name)) for name in agenteval.__all__)


def test_a_suite_runs_from_python_with_paths_as_text(project):
    project.suite("a", "b")

    result = agenteval.run_suite("suite.yaml", echo)
    stored = agenteval.load_run(str(result.run.path))

    assert statuses(stored) == {"a": "passed", "b": "passed"}
    assert agenteval.compare_runs(stored, agenteval.load_run(result.run.path)).verdict.passed


def test_a_loaded_suite_can_be_run_again_and_again(project):
    project.suite("a", "b")
    suite = agenteval.load_suite("suite.yaml")

    results = [agenteval.run_suite(suite, by_seed, repeat=3, repeat_all=True) for _ in range(2)]

    assert results[0].run.head.run_id != results[1].run.head.run_id
    assert [case.passed for case in results[0].flakiness] == [case.passed for case in results[1].flakiness]


def test_a_suite_runs_inside_a_running_loop(project):
    project.suite("a")

    result = asyncio.run(agenteval.arun_suite("suite.yaml", echo_async))

    assert statuses(result.run) == {"a": "passed"}


def test_an_unknown_argument_is_refused(project):
    project.suite("a")

    with pytest.raises(InputError, match="run_suite: unknown argument 'repeats'"):
        agenteval.run_suite("suite.yaml", echo, repeats=3)
