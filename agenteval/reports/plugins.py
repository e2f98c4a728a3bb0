"""Evaluator plugins as plain text and as JSON: the list, one name's metadata, and what came of trying one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from agenteval import _format
from agenteval._files import dumps
from agenteval._redact import redact, redact_json
from agenteval._text import clip, plain
from agenteval.adapters.safe import Sanitizer
from agenteval.evaluators.plugin_trial import Trial
from agenteval.evaluators.plugins import GROUP, Plugin
from agenteval.evaluators.table import BUILT_IN
from agenteval.reports.listing import table

_NONE = f"no installed package offers evaluators (entry-point group {GROUP}); docs/plugins.md says how to write one"


def plugins_text(plugins: Sequence[Plugin]) -> str:
    """One line a registration, then why names cannot be used."""
    rows = [(plugin.name, plugin.package, plugin.version, plugin.status, plugin.reference, plugin.folder) for plugin in plugins]
    lines = table([("NAME", "PACKAGE", "VERSION", "STATUS", "REFERENCE", "WHERE"), *rows]) if rows else [_NONE]
    lines += [f"{plugin.name}: {plugin.problem}" for plugin in _told_once(plugins)]
    return _safe("\n".join([*lines, f"{_format.count(len(BUILT_IN), 'name')} of built-in evaluators are reserved"]))


def plugins_json(plugins: Sequence[Plugin]) -> str:
    """Registrations and reserved names as one JSON object."""
    return dumps({"plugins": [_plugin(plugin) for plugin in plugins], "reserved": list(BUILT_IN)}).decode()


def plugin_text(name: str, offers: Sequence[Plugin]) -> str:
    """What metadata says of a name."""
    parts = [_head(name)] if name in BUILT_IN else []
    return _safe("\n\n".join([*parts, *("\n".join(_lines(plugin)) for plugin in offers)]))


def plugin_json(name: str, offers: Sequence[Plugin]) -> str:
    """The same as one JSON object; ``ok`` where the name can be used and nobody else claims it."""
    ok = all(not plugin.problem for plugin in offers)
    return dumps({"name": name, "ok": ok, "reserved": name in BUILT_IN, "registrations": [_plugin(plugin) for plugin in offers]}).decode()


def trial_text(trial: Trial) -> str:
    """What was tried, what it said, and what is wrong."""
    origin = "built in" if trial.name in BUILT_IN else " and ".join(f"{plugin.origin} ({plugin.reference})" for plugin in trial.offers)
    lines = [f"{trial.name}: {origin}"]
    if trial.parameters is not None:
        stated = [key if required else f"{key} (optional)" for key, required in trial.parameters.items()]
        lines += ["loaded, keeps the contract", f"parameters: {', '.join(stated) or 'none'}"]
    if trial.not_tried:
        lines.append(f"not tried: {trial.not_tried}; give --params to let it judge the sample")
    if trial.score is not None and trial.score.error is None:
        lines.append(f"on the sample: {_verdict(trial)}; {clip(trial.score.reason, 500)}")
    lines += [f"wrong: {finding}" for finding in trial.findings]
    return _safe("\n".join([*lines, _format.count(len(trial.findings), "finding") if trial.findings else "ok"]))


def trial_json(trial: Trial) -> str:
    """The same as one JSON object."""
    score = None
    if trial.score is not None:
        keys = ("value", "passed", "reason", "evidence", "error", "skipped")
        score = Sanitizer().value({key: getattr(trial.score, key) for key in keys})
    found = {
        "name": trial.name,
        "ok": not trial.findings,
        "registrations": [_plugin(plugin) for plugin in trial.offers],
        "parameters": None if trial.parameters is None else [{"name": key, "required": need} for key, need in trial.parameters.items()],
        "score": score,
        "not_tried": trial.not_tried or None,
        "findings": list(trial.findings),
    }
    return dumps(redact_json(found)).decode()


def _plugin(plugin: Plugin) -> dict[str, Any]:
    return {**asdict(plugin), "status": plugin.status, "problem": plugin.problem or None}


def _told_once(plugins: Sequence[Plugin]) -> list[Plugin]:
    """Registrations with a problem, a conflict once."""
    return list({(plugin.name, plugin.problem): plugin for plugin in plugins if plugin.problem}.values())


def _head(name: str) -> str:
    return f"{name}: built in ({BUILT_IN[name].partition(':')[2]}); the name is reserved, no package can take it"


def _lines(plugin: Plugin) -> list[str]:
    stated = {
        "evaluator": plugin.name,
        "package": plugin.origin,
        "summary": plugin.summary,
        "reference": plugin.reference,
        "where": plugin.folder,
        "status": f"{plugin.status}: it {plugin.problem}" if plugin.problem else f"{plugin.status}, as far as metadata says",
    }
    return [f"{key}: {clip(value, 600)}" for key, value in stated.items() if value]


def _verdict(trial: Trial) -> str:
    score = trial.score
    assert score is not None
    if score.passed is None:
        return "decides nothing" if score.value is None else f"value {score.value:g}, decides nothing"
    return "passes" if score.passed else "fails"


def _safe(text: str) -> str:
    return plain(redact(text))
