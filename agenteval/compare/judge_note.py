"""What a run's judge is worth, in one sentence for whoever reads its verdicts."""

from __future__ import annotations

from collections.abc import Mapping

from agenteval._format import count, kappa
from agenteval.model.calibration import DEFAULT_THRESHOLD
from agenteval.model.gates import Verdict
from agenteval.model.run import Measure


def judge_note(metrics: Mapping[str, Measure], verdict: Verdict) -> str:
    """That a judge decided answers and people do not confirm it, or nobody asked them.

    "" where no judge did, where its kappa with the whole interval keeps the limit of ``agenteval calibrate``, or where a gate says it.
    """
    judged, agreement = metrics.get("judged_pass_rate"), metrics.get("judge_kappa")
    if judged is None or not judged.n or any(gate.gate == "min_judge_kappa" for gate in verdict.gates):
        return ""
    answers = f"{count(judged.n, 'answer')} {'was' if judged.n == 1 else 'were'} judged by a model"
    if agreement is None:
        return f"{answers} that was never set against people: what its verdicts are worth is not known; see `agenteval calibrate`"
    least = DEFAULT_THRESHOLD - 1e-12
    interval = f", 95% {kappa(agreement.low)} to {kappa(agreement.high)}" if agreement.low is not None else ""
    found = f"kappa {kappa(agreement.value)}{interval}, n {agreement.n:,}, limit {kappa(DEFAULT_THRESHOLD)}"
    if agreement.value is None or agreement.value < least:
        return f"{answers} that agrees too little with people to gate on: {found}"
    if agreement.low is None or agreement.low < least:
        return f"{answers} whose agreement with people is not sure enough to gate on: {found}"
    return ""
