"""The gates as options, the same for ``run`` and ``compare``: what is given on the command line goes before agents.yaml."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from agenteval.cli.numbers import Finite
from agenteval.model.gates import GateLimits, PassHatK

F = TypeVar("F", bound=Callable[..., Any])

_RATE = Finite(0, 1)
_POSITIVE = Finite(0)
_NUMBERS: tuple[tuple[str, Finite, str], ...] = (
    ("max_correctness_drop", _RATE, "Largest drop of correctness against the baseline (default 0.05)."),
    ("max_hallucination_rate", _RATE, "Largest share of checked cases with an unsupported figure (default 0.10)."),
    ("min_tool_accuracy", _RATE, "Smallest tool-call accuracy (default 0.90)."),
    ("max_pass_rate_drop", _RATE, "Largest drop of the pass rate against the baseline."),
    ("min_pass_rate", _RATE, "Smallest share of passed cases."),
    ("max_cost_increase_pct", _POSITIVE, "Largest increase of cost against the baseline, in percent."),
    ("max_token_increase_pct", _POSITIVE, "Largest increase of tokens against the baseline, in percent."),
    ("max_latency_p95_ms", _POSITIVE, "Largest 95th percentile of latency, in ms."),
    ("max_flakiness_rate", _RATE, "Largest flakiness (1 - consistency) of a repeated case."),
    ("min_trajectory_f1", _RATE, "Smallest trajectory F1 of a case that declares one."),
    ("min_faithfulness", _RATE, "Smallest mean faithfulness of answers to what was retrieved."),
    ("min_retrieval_f1", _RATE, "Smallest mean F1 of retrieval."),
    ("min_citation_f1", _RATE, "Smallest mean F1 of citations."),
    ("min_tool_efficiency", _RATE, "Smallest mean tool efficiency."),
    ("min_judge_kappa", Finite(-1, 1), "Smallest kappa of the judge against people, as last calibrated."),
    ("min_judged_pass_rate", _RATE, "Smallest share of good answers by the judge, corrected by its calibration."),
    ("max_break_rate", _RATE, "Largest share of adversarial cases that fail."),
    ("non_inferiority_margin", _RATE, "Largest drop that the interval of the correctness difference may reach."),
    ("significance_alpha", _RATE, "Largest p that counts as significant (default 0.05)."),
    ("max_unproven_drop", _RATE, "Largest drop that passes although it is not significant (default 0.10)."),
)
_ALLOWED = {
    "allow_agent_errors": "fail_on_agent_error",
    "allow_evaluator_errors": "fail_on_evaluator_error",
    "allow_skipped": "fail_on_skipped",
    "allow_missing": "fail_on_missing",
}


if TYPE_CHECKING:
    _ParamType = click.ParamType[PassHatK]
else:
    _ParamType = click.ParamType  # no generic class before click 8.2


class _PassHatK(_ParamType):
    name = "K=VALUE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> PassHatK:
        """``4=0.8`` as k and the least pass^k."""
        if isinstance(value, PassHatK):
            return value
        k, equals, least = str(value).partition("=")
        try:
            limit = PassHatK(int(k), float(least))
        except ValueError:
            limit = PassHatK(0, 0.0)
        if not equals or limit.k < 1 or not 0 <= limit.value <= 1:
            self.fail(f"{value!r} is not K=VALUE with K of at least 1 and VALUE in [0, 1], for example 4=0.8", param, ctx)
        return limit


def gate_options(command: F) -> F:
    """Add every gate as an option to a command."""
    options = [click.option(f"--{name.replace('_', '-')}", name, type=kind, metavar="X", help=text) for name, kind, text in _NUMBERS]
    options.append(click.option("--min-pass-hat-k", type=_PassHatK(), metavar="K=VALUE", help="Smallest pass^k over repeated cases."))
    options.append(
        click.option(
            "--require-statistical-significance",
            is_flag=True,
            help="A drop fails only where it is significant, or too large to leave unproven.",
        )
    )
    options.append(
        click.option(
            "--critical-tag", "critical_tags", multiple=True, metavar="TAG", help="Any failure with this tag fails; again for more."
        )
    )
    for flag, gate in _ALLOWED.items():
        what = gate.removeprefix("fail_on_").replace("_", " ")
        options.append(click.option(f"--{flag.replace('_', '-')}", flag, is_flag=True, help=f"Do not fail on {what} cases."))
    for option in reversed(options):
        command = option(command)
    return command


def limits_from(options: Mapping[str, Any], base: GateLimits) -> GateLimits:
    """The base limits with what the command line says in their place; what it says counts as written."""
    said: dict[str, Any] = {name: options[name] for name, _, _ in _NUMBERS if options[name] is not None}
    if options["min_pass_hat_k"] is not None:
        said["min_pass_hat_k"] = options["min_pass_hat_k"]
    if options["require_statistical_significance"]:
        said["require_statistical_significance"] = True
    if options["critical_tags"]:
        said["critical_tags"] = (*base.critical_tags, *options["critical_tags"])
    said.update({gate: False for flag, gate in _ALLOWED.items() if options[flag]})
    return replace(base, **said, written=base.written | set(said))
