"""The overview of a run that a model judged."""

from __future__ import annotations

from pathlib import Path

from agenteval.model.run import Measure
from tests.builders import an_attempt
from tests.dashboard.conftest import Open, words
from tests.dashboard.stored import store

JUDGED = {"judged_pass_rate": Measure(8 / 13, 13, "rate", "higher", {}, 0.36, 0.82)}
SAID = "13 answers were judged by a model that agrees too little with people to gate on: kappa 0.03"


def shown(tmp_path: Path, open_page: Open, metrics: dict[str, Measure]) -> str:
    store(tmp_path, [an_attempt("a")], "20261130T120000Z-abc1234-000001", metrics=metrics)
    page = open_page("overview")
    assert not page.exception
    return words(page)


def test_the_overview_says_that_people_do_not_confirm_the_judge(tmp_path: Path, open_page: Open) -> None:
    kappa = {"judge_kappa": Measure(0.03, 28, "score", "higher", {}, -0.27, 0.33)}

    assert SAID in shown(tmp_path, open_page, JUDGED | kappa)


def test_the_overview_says_nothing_of_a_judge_that_people_confirm(tmp_path: Path, open_page: Open) -> None:
    kappa = {"judge_kappa": Measure(0.8, 200, "score", "higher", {}, 0.7, 0.9)}

    assert "judged by a model" not in shown(tmp_path, open_page, JUDGED | kappa)
