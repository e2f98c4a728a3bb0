"""What tokens cost, worked out by hand."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from agenteval.adapters.prices import TABLE, VERSION, price_list, price_provenance, recorded_prices
from agenteval.adapters.pricing import Price, cost_of, price_of
from agenteval.model.response import Usage
from tests.runner.project import Project

USAGE = Usage(20_212, 931, cached_tokens=16_298)
PRICE = Price(0.50, 3.00, 0.05)


def test_cached_tokens_are_part_of_the_prompt_and_billed_once() -> None:
    cost = price_of(USAGE, PRICE)

    # 3,914 fresh x 0.50 + 16,298 cached x 0.05 + 931 x 3.00, a million: 0.001957 + 0.0008149 + 0.002793
    assert cost == pytest.approx(0.0055649, abs=1e-12)
    assert f"{cost:.6f}" == "0.005565"


def test_a_provider_that_counts_the_cache_beside_the_prompt_says_so() -> None:
    outside = Price(0.50, 3.00, 0.05, cached_outside_prompt=True)

    assert price_of(Usage(3_914, 931, cached_tokens=16_298), outside) == pytest.approx(0.0055649, abs=1e-12)
    assert price_of(USAGE, outside) == pytest.approx(0.010106 + 0.0008149 + 0.002793, abs=1e-12)


@pytest.mark.parametrize("cached_outside_prompt", [False, True])
@pytest.mark.parametrize("usage", [Usage(10, 0, cached_tokens=1_000_000), Usage(0, 0), Usage(0, 0, cached_tokens=5)])
def test_no_cost_is_negative(usage: Usage, cached_outside_prompt: bool) -> None:
    cost = price_of(usage, Price(1.0, 1.0, 0.1, cached_outside_prompt))

    assert cost is not None
    assert cost >= 0


def test_more_cached_tokens_than_the_prompt_has_cost_the_prompt_at_the_cached_rate() -> None:
    assert price_of(Usage(10, 0, cached_tokens=1_000), Price(1.0, 1.0, 0.1)) == pytest.approx(1e-6)


@pytest.mark.parametrize(
    ("reported", "usage", "model", "expected"),
    [
        (0.5, USAGE, "m", (0.5, "reported")),
        (0.0, USAGE, "m", (0.0, "reported")),
        (None, USAGE, "unknown", (None, "unpriced")),
        (None, USAGE, None, (None, "unpriced")),
        (None, Usage(total_tokens=30), "m", (None, "unpriced")),
        (None, Usage(prompt_tokens=30), "m", (None, "unpriced")),
        (None, Usage(), "m", (None, None)),
    ],
)
def test_a_report_goes_before_a_price_and_a_price_before_nothing(reported, usage, model, expected) -> None:
    assert cost_of(reported, usage, model, {"m": PRICE}) == expected


def test_own_prices_go_before_the_table() -> None:
    prices = price_list({"gpt-4o": Price(9, 9), "mine": Price(0, 0)})

    assert (prices["gpt-4o"], prices["mine"]) == (Price(9, 9), Price(0, 0))
    assert prices["gpt-4o-mini"] == TABLE["gpt-4o-mini"]


def test_a_run_knows_its_prices_again() -> None:
    own = {"free": Price(0, 0), "m": Price(0.5, 3, 0.05, True, "2026-12-01")}

    written = json.loads(json.dumps(price_provenance(own)))

    assert written["own"] == {
        "free": {"input": 0, "output": 0},
        "m": {"input": 0.5, "output": 3, "cached_input": 0.05, "cached_outside_prompt": True, "valid_from": "2026-12-01"},
    }
    assert recorded_prices(written) == price_list(own)
    assert recorded_prices({"table": "another"}) == {}
    assert recorded_prices(None) == {}


def test_a_run_records_table_and_own_prices_and_uses_both(project: Project) -> None:
    (project.root / "tokens.py").write_text(
        "from agenteval import AgentResponse\n"
        "def answer(prompt):\n"
        "    return AgentResponse(prompt, prompt_tokens=1000, completion_tokens=100, cached_tokens=500, model=prompt)\n"
    )
    (project.root / "agents.yaml").write_text(
        "version: 1\nagents:\n  bot:\n    adapter: tokens:answer\n"
        '    pricing:\n      mine: {input: 2, output: 4, cached_input: 0, cached_outside_prompt: true, valid_from: "2026-12-01"}\n'
    )
    project.suite("mine", "gpt-4o", "nobody")

    run = project.run(agent="bot").run

    assert run.provenance["prices"] == {
        "table": VERSION,
        "own": {"mine": {"input": 2.0, "output": 4.0, "cached_input": 0.0, "cached_outside_prompt": True, "valid_from": "2026-12-01"}},
    }
    # mine: 1000 x 2 + 500 x 0 + 100 x 4 = 2400; gpt-4o: 1000 x 2.50 + 100 x 10 = 3500, a million
    assert [(case.cost_usd, case.cost_source) for case in run.cases] == [(0.0024, "priced"), (0.0035, "priced"), (None, "unpriced")]


def test_a_wrong_price_is_named_with_its_place(tmp_path) -> None:
    from agenteval.errors import InputError
    from agenteval.suites import read_registry

    (tmp_path / "agents.yaml").write_text(
        "version: 1\nagents:\n  bot:\n    adapter: a:b\n    pricing: {m: {input: 1, output: -1, valid_from: soon}}\n"
    )

    with pytest.raises(InputError) as refused:
        read_registry(None, start=tmp_path)

    assert "agents.bot.pricing.m.output: must be at least 0, not -1.0" in str(refused.value)
    assert "agents.bot.pricing.m.valid_from: 'soon' is no date; write it as 2026-12-31" in str(refused.value)


def test_the_page_shows_the_table() -> None:
    page = (Path(__file__).parents[2] / "docs/costs.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\| (\S+) \| ([\d.]+) \| ([\d.]+) \| (\S+) \|$", page, re.MULTILINE)

    assert {model: (float(given), float(made), day) for model, given, made, day in shown} == {
        model: (price.input, price.output, price.valid_from) for model, price in TABLE.items()
    }
