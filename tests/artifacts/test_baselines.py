"""Pinned runs."""

from dataclasses import replace
from pathlib import Path

import pytest

from agenteval.artifacts.baselines import baseline_source, baseline_target, find_baseline, list_baselines, set_baseline
from agenteval.artifacts.paths import baseline_path
from agenteval.artifacts.reading import load_run
from agenteval.errors import InputError
from agenteval.model.run import Selection, SuiteRef
from agenteval.model.status import RunStatus
from agenteval.suites.agent_config import AgentConfig
from agenteval.suites.registry import Registry
from tests.artifacts.stored import run_id, store
from tests.builders import an_attempt, shared_data

PIN = "baselines/bot.json"


def test_a_baseline_is_the_run_file_with_its_sidecar_beside(tmp_path):
    path = store(tmp_path, attempts=[an_attempt("a")], repetitions=[an_attempt("a", False, repetition=1)])

    set_baseline(load_run(path), tmp_path / PIN)

    assert (tmp_path / PIN).read_bytes() == path.read_bytes()
    assert (tmp_path / "baselines/bot.flakiness.json").read_bytes() == (path.parent / "flakiness" / path.name).read_bytes()
    pinned = find_baseline(tmp_path / "baselines", "bot", "any", golden=True)
    assert pinned is not None
    assert [attempt.correct for attempt in pinned.repetitions] == [False]


def test_the_former_baselines_sidecar_goes(tmp_path):
    repeated = store(tmp_path, 1, attempts=[an_attempt("a")], repetitions=[an_attempt("a", repetition=1)])
    set_baseline(load_run(repeated), tmp_path / PIN)

    set_baseline(load_run(store(tmp_path, 2)), tmp_path / PIN)

    assert [item.name for item in (tmp_path / "baselines").iterdir()] == ["bot.json"]


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"selection": Selection({"tags": ["x"]}, 3)}, "left out 3 of the suite's cases"),
        ({"status": RunStatus.INTERRUPTED}, "is interrupted, not completed"),
        ({"status": RunStatus.STOPPED}, "is stopped, not completed"),
    ],
    ids=["partial", "interrupted", "stopped"],
)
def test_part_of_a_suite_is_no_baseline_unless_forced(tmp_path, changes, what):
    run = load_run(store(tmp_path, **changes))

    with pytest.raises(InputError) as caught:
        set_baseline(run, tmp_path / PIN)
    assert str(caught.value) == f"RUN: run {run_id(1)} {what}; run the whole suite, or pin it all the same with --force"
    assert not (tmp_path / PIN).exists()

    set_baseline(run, tmp_path / PIN, force=True)
    assert load_run(tmp_path / PIN).head == run.head


def test_pinning_the_baseline_itself_changes_nothing(tmp_path):
    set_baseline(load_run(store(tmp_path)), tmp_path / PIN)
    before = (tmp_path / PIN).read_bytes()

    set_baseline(load_run(tmp_path / PIN), tmp_path / PIN)

    assert (tmp_path / PIN).read_bytes() == before


def test_a_predecessors_run_is_pinned_redacted_in_the_present_format(tmp_path):
    old = shared_data("data", "predecessor", "samples", "run-report.json")

    set_baseline(load_run(old), tmp_path / PIN)

    pinned = load_run(tmp_path / PIN)
    assert b"SECRETSECRET" in old.read_bytes()
    assert b"SECRETSECRET" not in (tmp_path / PIN).read_bytes()
    assert pinned.head.legacy == load_run(old).head.legacy
    assert pinned.head.metrics == load_run(old).head.metrics
    assert list(pinned.cases) == list(load_run(old).cases)


def test_no_baseline_is_none_and_a_broken_one_is_told(tmp_path):
    assert find_baseline(tmp_path, "bot", "suite", golden=False) is None

    (tmp_path / "bot--suite.json").write_text("{")

    with pytest.raises(InputError, match=r"bot--suite\.json"):
        find_baseline(tmp_path, "bot", "suite", golden=False)


def test_all_baselines_are_listed_and_the_unreadable_named(tmp_path):
    set_baseline(load_run(store(tmp_path)), tmp_path / PIN)
    (tmp_path / "baselines" / "x.json").write_text("[]")

    found, unreadable = list_baselines(tmp_path / "baselines")

    assert [(item.head.run_id, item.path.name) for item in found] == [(run_id(1), "bot.json")]
    assert [(item.path.name, item.reason) for item in unreadable] == [("x.json", "is not a run but a JSON list")]


@pytest.mark.parametrize(
    ("agent", "suite", "golden", "name"),
    [
        ("bot", "any", True, "bot.json"),
        ("bot", "extra", False, "bot--extra.json"),
        ("bot", "../../etc/passwd", False, "bot--etc-passwd-"),
        ("a--b", "c", True, "a-b-"),
        ("NUL", "x", True, "NUL-"),
        ("", "x", True, "name-"),
        ("ünï", "x", True, "n-"),
    ],
)
def test_names_never_become_unchecked_paths(agent, suite, golden, name):
    path = baseline_path(Path("baselines"), agent, suite, golden)

    assert path.parent == Path("baselines")
    assert path.name.startswith(name)


def test_where_a_run_is_pinned(tmp_path):
    suites = tmp_path / "suites"
    bot = AgentConfig(name="bot", adapter="a:b", root=tmp_path, golden_suite=suites / "golden.yaml")
    own = replace(bot, name="own", baseline=tmp_path / "pins" / "own.json")
    registry = Registry(tmp_path / "agents.yaml", tmp_path, {"bot": bot, "own": own})

    def target(agent, path, name="s"):
        return baseline_target(agent, SuiteRef(name, path), registry, suites).relative_to(tmp_path).as_posix()

    assert target("bot", "suites/golden.yaml") == "baselines/bot.json"
    assert target("bot", "golden.yaml") == "baselines/bot.json"
    assert target("bot", "suites/other.yaml", "other") == "baselines/bot--other.json"
    assert target("own", "suites/golden.yaml") == "pins/own.json"
    assert target("stranger", "suites/golden.yaml", "golden") == "baselines/stranger--golden.json"
    assert target("stranger", None, "") == "baselines/stranger.json"


def test_a_baseline_without_agents_yaml_is_found_under_the_agents_name(tmp_path: Path) -> None:
    run = load_run(store(tmp_path / "runs"))
    registry = Registry(path=None, root=tmp_path, agents={})
    plain = baseline_path(tmp_path / "baselines", run.head.agent, run.head.suite.name, True)
    set_baseline(run, plain)

    assert baseline_source(run.head.agent, run.head.suite, registry, tmp_path) == plain
    other = baseline_source(run.head.agent, SuiteRef("another"), registry, tmp_path)
    assert other.name == f"{run.head.agent}--another.json"
