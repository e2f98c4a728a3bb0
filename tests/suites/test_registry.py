"""agents.yaml: every key, every mistake, and which agent is meant."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest

from agenteval.errors import InputError
from agenteval.model.gates import GateLimits, PassHatK
from agenteval.suites import project_root, read_registry
from agenteval.suites.gate_keys import GateKeys
from tests.builders import shared_data
from tests.suites.conftest import Write

GOOD = """
    version: 1
    agents:
      bot-1:
        display_name: Bot
        adapter: no_such_module:Agent
        adapter_options: {path: "${AGENT_REPO}/data", deep: [{p: "${AGENT_REPO}"}], n: 1}
        repository: {env_var: BOT_REPO, default_path: code, required_paths: [src/bot.py]}
        golden_suite: tests/golden.yaml
        baseline: baselines/bot.json
        runs_dir: runs
        smoke_case_ids: [a, b]
        gates: {max_correctness_drop: 0.05, min_pass_hat_k: {k: 3, value: 0.8}, critical_tags: [safety], max_latency_p95_ms: null}
        alerting: {enabled: true, webhook_url_env: HOOK, kind: discord}
        audit: {enabled: true, log_path: logs/audit.jsonl}
        judge: {model: j}
        pricing: {m: {input: 0.5, output: 3, cached_input: 0.05}}
        model: m
        repeat: 2
        concurrency: 4
        timeout_s: 60
      other:
        enabled: false
        adapter: also_missing:run
    """


def message(write: Write, text: str, **choose: str) -> str:
    path = write("agents.yaml", text)
    with pytest.raises(InputError) as caught:
        read_registry(None, start=path.parent).choose(*choose.values())
    return str(caught.value)


def test_every_key_is_read_and_no_adapter_imported(write: Write, tmp_path: Path) -> None:
    path = write("agents.yaml", GOOD)

    registry = read_registry(None, start=tmp_path)
    agent = registry.choose()

    assert (registry.path, registry.root, list(registry.agents)) == (path, tmp_path, ["bot-1", "other"])
    assert (agent.name, agent.display_name, agent.adapter, agent.where) == ("bot-1", "Bot", "no_such_module:Agent", "agents.yaml:5:14")
    assert (agent.golden_suite, agent.baseline, agent.runs_dir) == (
        tmp_path / "tests/golden.yaml",
        tmp_path / "baselines/bot.json",
        tmp_path / "runs",
    )
    assert agent.gates == GateLimits(
        max_correctness_drop=0.05,
        min_pass_hat_k=PassHatK(3, 0.8),
        critical_tags=("safety",),
        written=frozenset({"max_correctness_drop", "min_pass_hat_k", "critical_tags"}),
    )
    assert (agent.alerting.webhook_url_env, agent.alerting.kind, agent.audit.log_path) == ("HOOK", "discord", "logs/audit.jsonl")
    assert (agent.judge, agent.pricing) == ({"model": "j"}, {"m": {"input": 0.5, "output": 3.0, "cached_input": 0.05}})
    assert (agent.model, agent.repeat, agent.concurrency, agent.timeout_s, agent.smoke_case_ids) == ("m", 2, 4, 60.0, ("a", "b"))


def test_gate_keys_are_the_limits_with_their_defaults() -> None:
    limits = {name: value for name, value in asdict(GateLimits()).items() if name != "written"}

    assert {name: tuple(value) if isinstance(value, list) else value for name, value in asdict(GateKeys()).items()} == limits
    assert list(asdict(GateKeys())) == list(limits)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "gates: {max_corectness_drop: 0.5}",
            "agents.yaml:5:13: agents.bot.gates.max_corectness_drop: unknown key 'max_corectness_drop'; did you "
            "mean 'max_correctness_drop'?",
        ),
        (
            'gates: {require_statistical_significance: "false"}',
            "agents.yaml:5:13: agents.bot.gates.require_statistical_significance: must be true or false, not the "
            "text 'false'; remove the quotes",
        ),
        ("gates: {min_tool_accuracy: 90}", "agents.yaml:5:13: agents.bot.gates.min_tool_accuracy: must be between 0 and 1, not 90.0"),
        ("gates: {max_cost_increase_pct: -1}", "agents.yaml:5:13: agents.bot.gates.max_cost_increase_pct: must be at least 0, not -1.0"),
        ("gates: {significance_alpha: null}", "agents.yaml:5:13: agents.bot.gates.significance_alpha: must be a number, not empty"),
        (
            "gates: {min_pass_hat_k: 0.8}",
            "agents.yaml:5:13: agents.bot.gates.min_pass_hat_k: must be a mapping with k, value, not the number 0.8",
        ),
        ("gates: {written: [x]}", "agents.yaml:5:13: agents.bot.gates.written: unknown key 'written'; known keys: max_correctness_drop"),
        ('enabled: "yes"', "agents.yaml:5:5: agents.bot.enabled: must be true or false, not the text 'yes'; write true or false"),
        (
            "adaptor_options: {}",
            "agents.yaml:5:5: agents.bot.adaptor_options: unknown key 'adaptor_options'; did you mean 'adapter_options'?",
        ),
        (
            "golden_suite: /etc/passwd",
            "agents.yaml:5:5: agents.bot.golden_suite: '/etc/passwd' is absolute; write it relative to the folder of agents.yaml",
        ),
        (
            "runs_dir: a/../../b",
            "agents.yaml:5:5: agents.bot.runs_dir: 'a/../../b' leaves the folder of agents.yaml; write a path inside it",
        ),
        ("repository: {}", "agents.yaml:5:5: agents.bot.repository: needs env_var or default_path; add one"),
        (
            "repository: {env_var: my-var}",
            "agents.yaml:5:18: agents.bot.repository.env_var: 'my-var' must be the name of an environment variable, such as MY_AGENT_PATH",
        ),
        (
            "alerting: {enabled: true}",
            "agents.yaml:5:5: agents.bot.alerting: is enabled without webhook_url_env; name the environment variable that holds the URL",
        ),
        (
            "alerting: {kind: slak}",
            "agents.yaml:5:16: agents.bot.alerting.kind: unknown value 'slak'; did you mean 'slack'? Allowed: slack, discord",
        ),
        ("pricing: {m: {input: 1}}", "agents.yaml:5:15: agents.bot.pricing.m: output is required; add it"),
        ("smoke_case_ids: a", "agents.yaml:5:5: agents.bot.smoke_case_ids: must be a list, not the text 'a'; write [a]"),
        ("adapter: b:c", "agents.yaml:5:5: agents.bot.adapter: duplicate key 'adapter', first on line 4; remove one of them"),
        ("timeout_s: 0", "agents.yaml:5:5: agents.bot.timeout_s: must be more than 0, not 0.0"),
    ],
)
def test_a_mistake_is_refused_where_it_stands(write: Write, line: str, expected: str) -> None:
    found = message(write, f"version: 1\nagents:\n  bot:\n    adapter: a:b\n    {line}\n")

    assert found.startswith(expected) if expected.endswith("max_correctness_drop") else found == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("agents: {a: {adapter: m:f}}\n", "agents.yaml:1:1: version is required; add it"),
        ("version: 2\nagents: {a: {adapter: m:f}}\n", "agents.yaml:1:1: version: must be 1, not 2"),
        ("version: 1\nagents: {}\n", "agents.yaml:2:1: agents: has no agents; add one"),
        (
            "version: 1\nagents: {A b: {adapter: m:f}}\n",
            "agents.yaml:2:10: agents.A b: 'A b' must be lower-case letters, digits, _ and -, beginning with a letter; rename the agent",
        ),
        ("version: 1\nagents: {a: {}}\n", "agents.yaml:2:10: agents.a: adapter is required; add it"),
        ("version: 1\nagents: {a: m:f}\n", "agents.yaml:2:10: agents.a: must be a mapping with adapter and other keys, not the text 'm:f'"),
        ("version: 1\nagents: {a: {adapter: m.f}}\n", "agents.yaml:2:14: agents.a.adapter: 'm.f' must be of the form module:callable"),
        ("- a\n", "agents.yaml:1:1: must be a mapping with version and agents; see `agenteval schema agents`"),
    ],
)
def test_wrong_files(write: Write, text: str, expected: str) -> None:
    assert message(write, text) == expected


@pytest.mark.parametrize(
    ("agents", "name", "expected"),
    [
        ("a: {adapter: m:f}, b: {adapter: m:f}", None, "agents.yaml: 2 agents are enabled: a, b; choose one with --agent"),
        ("support: {adapter: m:f}", "suport", "--agent: no agent 'suport' in agents.yaml; did you mean 'support'?"),
        ("support: {adapter: m:f}", "x", "--agent: no agent 'x' in agents.yaml; known: support"),
        ("a: {adapter: m:f, enabled: false}", "a", "--agent: agent 'a' is disabled; set enabled: true in agents.yaml"),
        ("a: {adapter: m:f, enabled: false}", None, "agents.yaml: no agent is enabled; enable one"),
    ],
)
def test_an_agent_that_cannot_be_chosen(write: Write, agents: str, name: str | None, expected: str) -> None:
    choose = {} if name is None else {"name": name}

    assert message(write, f"version: 1\nagents: {{{agents}}}\n", **choose) == expected


def test_the_nearest_registry_upwards_is_found(write: Write, tmp_path: Path) -> None:
    write("agents.yaml", "version: 1\nagents: {a: {adapter: m:f}}\n")
    deep = tmp_path / "x/y"
    deep.mkdir(parents=True)

    assert read_registry(None, start=deep).root == tmp_path
    assert project_root(deep) == tmp_path


def test_without_registry_there_are_no_agents(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "x").mkdir()

    registry = read_registry(None, start=tmp_path / "x")

    assert (registry.path, registry.root, registry.agents) == (None, tmp_path, {})


def test_a_named_registry_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^nope\.yaml: there is no such file; check the path$"):
        read_registry(tmp_path / "nope.yaml", start=tmp_path)


def test_the_repository_is_the_first_that_holds_what_is_required(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("agents.yaml", GOOD)
    agent = read_registry(None, start=tmp_path).choose()
    monkeypatch.delenv("BOT_REPO", raising=False)

    with pytest.raises(InputError) as caught:
        agent.repository_path()
    assert (
        str(caught.value) == "agents.yaml:5:14: no repository of agent 'bot-1': code is no folder; set BOT_REPO, or add --agent-repo FOLDER"
    )

    write("code/src/bot.py", "")
    assert agent.repository_path() == tmp_path / "code"

    monkeypatch.setenv("BOT_REPO", str(tmp_path))
    assert agent.repository_path() == tmp_path / "code"

    write("mine/src/bot.py", "")
    monkeypatch.setenv("BOT_REPO", str(tmp_path / "mine"))
    assert agent.repository_path() == tmp_path / "mine"
    assert agent.options(tmp_path / "mine") == {"path": f"{tmp_path}/mine/data", "deep": [{"p": f"{tmp_path}/mine"}], "n": 1}

    with pytest.raises(InputError) as caught:
        agent.repository_path(tmp_path)
    assert str(caught.value) == f"--agent-repo: {str(tmp_path)!r} lacks src/bot.py; name the folder of the agent's repository"


def test_a_marker_without_repository_is_refused(write: Write, tmp_path: Path) -> None:
    write("agents.yaml", 'version: 1\nagents: {a: {adapter: m:f, adapter_options: {p: "${AGENT_REPO}"}}}\n')

    with pytest.raises(InputError) as caught:
        read_registry(None, start=tmp_path).choose().options(None)
    assert str(caught.value) == (
        "agents.yaml:2:23: adapter_options use ${AGENT_REPO}, and agent 'a' has no repository; add repository, or --agent-repo FOLDER"
    )


def test_the_registry_of_agenteval_0_3_loads() -> None:
    path = shared_data("data", "predecessor", "samples", "agents.yaml")

    registry = read_registry(path, start=path.parent)

    assert list(registry.agents) == ["show", "show_bad"]
    assert registry.agents["show"].gates.written == frozenset(
        {"max_flakiness_rate", "min_trajectory_f1", "max_cost_increase_pct", "max_latency_p95_ms", "max_token_increase_pct"}
    )
