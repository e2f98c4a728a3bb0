"""What a run's judge is worth: its agreement with people as last calibrated, and the share of good answers corrected by its errors."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from agenteval.artifacts.calibrations import FOLDER, list_calibrations
from agenteval.compare.corrected import Hits, corrected_rate
from agenteval.compare.intervals import wilson
from agenteval.llm.settings import ModelSettings
from agenteval.model.attempt import Attempt
from agenteval.model.calibration import Calibration, Kind
from agenteval.model.run import Measure
from agenteval.runner.judges import judge_provenance

CHECK = "llm_judge"


def judge_measures(attempts: Iterable[Attempt], settings: ModelSettings | None, folder: Path) -> dict[str, Measure]:
    """``judged_pass_rate`` and, of a judge that was calibrated, its ``judge_kappa`` and ``judged_pass_rate_corrected``.

    Empty where no answer was judged good or bad. There is no corrected rate where the calibration allows none; with one come
    ``judge_sensitivity`` (n: good answers of the golden set) and ``judge_specificity`` (n: bad ones), by which it is corrected.

    Args:
        attempts: The primary attempts that count and ask a judge.
        settings: Of the judge that the run asked.
        folder: The agent's folder of runs.
    """
    asked = judge_provenance(settings)
    verdicts = [verdict for attempt in attempts if (verdict := _verdict(attempt)) is not None] if asked is not None else []
    if asked is None or not verdicts:
        return {}
    passed, n = sum(verdicts), len(verdicts)
    made = {"judged_pass_rate": Measure(passed / n, n, "rate", "higher", {}, *wilson(passed, n))}
    calibration = newest_calibration(folder, asked["model"], asked["prompt_version"], asked["settings"])
    if calibration is None:
        return made
    made["judge_kappa"] = kappa_measure(calibration)
    if (better := corrected(passed, n, calibration)) is not None:
        made["judged_pass_rate_corrected"] = better
        made |= {name: measure for name, measure in _errors(calibration).items() if measure is not None}
    return made


def _errors(calibration: Calibration) -> dict[str, Measure | None]:
    return {"judge_sensitivity": calibration.sensitivity, "judge_specificity": calibration.specificity}


def judge_cost(attempts: Iterable[Attempt]) -> dict[str, Measure]:
    """``judge_cost_usd``: the sum over the cases whose judgements all have a known cost; empty where nothing was judged.

    A reply out of the cache costs nothing. Cases with a judgement of unknown cost are counted under ``unpriced``.

    Args:
        attempts: The primary attempts that count and ask a judge, of the whole case or of a turn.
    """
    known: list[float] = []
    unpriced = 0
    for attempt in attempts:
        costs = [cost for part in (attempt, *attempt.turns) for score in part.scores for cost in _costs(score.evidence)]
        if None in costs:
            unpriced += 1
        elif costs:
            known.append(math.fsum(cost for cost in costs if cost is not None))
    if not known and not unpriced:
        return {}
    left_out = {"unpriced": unpriced} if unpriced else {}
    return {"judge_cost_usd": Measure(round(math.fsum(known), 10) if known else None, len(known), "usd", "lower", left_out)}


def _costs(evidence: Mapping[str, Any]) -> list[float | None]:
    """The cost of each judgement behind a score."""
    told = (evidence.get(name) for name in ("judge", "judge_swapped"))
    return [judge.get("cost_usd") for judge in told if isinstance(judge, Mapping)]


def newest_calibration(folder: Path, model: str, prompt_version: str, settings: str) -> Calibration | None:
    """The newest calibration of answers in an agent's folder of runs with the same model, prompts and settings, if any.

    ``settings`` is the short hash of what decides replies (temperature, seed, votes, length); files that did not record it match any.

    Passed over are files that can't be read, verdicts that were only recorded, and sets on which the judge gave no verdict.
    """
    fitting = [
        item
        for item in list_calibrations([folder / FOLDER]).found
        if (item.model, item.prompt_version) == (model, prompt_version)
        and item.settings in (None, settings)
        and item.kind is not Kind.PAIRS
        and not item.recorded
        and item.n
    ]
    return fitting[-1] if fitting else None


def kappa_measure(calibration: Calibration) -> Measure:
    """The judge's agreement with people as a measure of a run: n counts the answers of the golden set."""
    left_out = {"errors": calibration.errors} if calibration.errors else {}
    return Measure(calibration.kappa, calibration.n, "score", "higher", left_out, calibration.low, calibration.high)


def corrected(passed: int, n: int, calibration: Calibration) -> Measure | None:
    """The estimated share of good answers, from how many of n the judge passed; None where the calibration allows none.

    Its ``n`` counts the judged answers; it is an estimate, no count of cases.
    """
    if calibration.kind is not Kind.BINARY or calibration.sensitivity is None or calibration.specificity is None:
        return None
    found = corrected_rate(passed, n, sensitivity=_hits(calibration.sensitivity), specificity=_hits(calibration.specificity))
    return None if found is None else Measure(found.value, n, "rate", "higher", {}, found.low, found.high, estimated=True)


def _hits(measure: Measure) -> Hits:
    return Hits(round((measure.value or 0.0) * measure.n), measure.n)


def _verdict(attempt: Attempt) -> bool | None:
    """What the judge said of the answer, whatever the case wants of it; None where it was not asked for true or false."""
    if not attempt.status.decided:
        return None
    for score in attempt.scores:
        if score.name == CHECK and score.passed is not None and "points" not in score.evidence:
            return _majority(score.evidence.get("judge"))
    return None


def _majority(evidence: Any) -> bool | None:
    votes = evidence.get("votes") if isinstance(evidence, Mapping) else None
    values = Counter(vote.get("value") for vote in votes or () if isinstance(vote, Mapping) and isinstance(vote.get("value"), bool))
    return values.most_common(1)[0][0] if values else None
