"""A folder in which every text that others wrote tries to be more than text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agenteval.artifacts.history import rebuild
from agenteval.artifacts.journal import JournalWriter
from agenteval.artifacts.paths import agent_dir, ledger_path
from agenteval.model.attempt import Attempt, Failure
from agenteval.model.response import Step, ToolCall, Usage
from agenteval.model.run import SuiteRef
from agenteval.model.score import Feeds, Score
from agenteval.model.status import ErrorKind, Role
from tests.builders import an_attempt
from tests.dashboard.judged_folder import write_calibrations
from tests.dashboard.stored import store

HOSTILE_AGENT = "bot <b>bold</b> [agent](//evil.test) `x` :red[agent] $a$"
HOSTILE_SUITE = "suite ![s](//evil.test/s.png) <img src=//evil.test/s.png> | %{y}"
HOSTILE_RUN = "20261129T090000Z-<img src=x onerror=document.body.dataset.hostile=1>-%{y}-**r**"
HOSTILE_CASE = "case <script>document.title='hostile'</script> [open](//evil.test) :red[x] $x^2$ %{y} & a=b#c?d"
EARLIER = ("20261126T090000Z-aaaaaaa-000001", "20261127T090000Z-aaaaaaa-000002", "20261128T090000Z-aaaaaaa-000003")
LONG_ID = "a_very_long_case_id_" + "that_never_ends_" * 24
RTL_ID = "case \u202eesrever\u202c \u200bzero\u200bwidth\u200d \u0627\u062e\u062a\u0628\u0627\u0631"
IDS = (
    HOSTILE_CASE,
    LONG_ID,
    RTL_ID,
    "🧨🔥 emoji 👩‍👩‍👧‍👦 case",
    "line\nbreak\tand `tick` ``two``",
    "- [ ] list | table | cell",
    "===",
    "# heading",
)


def attack(trap: str) -> str:
    """Every kind of text that a page could be talked into obeying; whatever is fetched is fetched from ``trap``."""
    return "\n".join(
        (
            "# GATE PASSED",
            f"![picture]({trap}/markdown.png) [click me]({trap}/link) <{trap}/auto> {trap}/bare www.evil.test/bare",
            f"<img src='{trap}/tag.png' onerror=\"document.body.dataset.hostile = 'ran'\">",
            "<script>document.body.dataset.hostile = 'ran'; document.title = 'hostile'</script>",
            f"<svg onload=\"document.body.dataset.hostile = 'ran'\"></svg><iframe src='{trap}/frame'></iframe>",
            f"<style>@import url('{trap}/style.css'); body {{display: none}}</style><a href='javascript:alert(1)'>go</a>",
            f":red[red] :material/delete: :green-badge[✓ passed] :streamlit: $\\href{{{trap}}}{{x}}$ $$\\frac{{1}}{{0}}$$",
            "%{y} %{customdata[0]} {{7*7}} ${7*7} <extra></extra> &lt;b&gt; &#60;b&#62;",
            "| a | b |\n|---|---|\n| 1 | 2 |\n```\nfence\n~~~\n<details open><summary>s</summary></details>",
            "\u202eright to left\u202c zero\u200bwidth\u2060joiner\u200d \ufeffbom \u0000null \u001b[31mescape",
            "🧨 👩‍👩‍👧‍👦 \ufdfd Z\u0338\u0322\u031ba\u0337l\u0336g\u0338o",
        )
    )


def write_hostile(folder: Path, trap: str) -> tuple[JournalWriter, ...]:
    """Write the folder: four runs of hostile names, the newest repeated, with steps, context, errors and mutants; and calibrations."""
    words = attack(trap)
    facts: dict[str, Any] = {
        "agent": HOSTILE_AGENT,
        "suite": SuiteRef(HOSTILE_SUITE, words[:300], "<hash>", len(IDS)),
        "label": words[:400],
        "meta": {"<b>branch</b>": words[:400], words[:80]: "[x](//evil.test)"},
        "parameters": {"model": f"model ![m]({trap}/model.png) <i>%{{y}}</i>"},
        "git": {"commit": f"<img src='{trap}/git.png'>", "dirty": True},
        "provenance": {
            "python": words[:200],
            "ci_url": "javascript:alert(1)",
            "command": [words[:200]],
            "model": "<b>m</b>",
            "packages": {words[:60]: words[:60]},
        },
        "duration_s": 12.0,
    }
    first = store(folder, _attempts(words, failed=()), EARLIER[0], pin=True, **facts)
    store(folder, _attempts(words, failed=(1,)), EARLIER[1], baseline=first, **facts)
    store(folder, _attempts(words, failed=(1, 2)), EARLIER[2], baseline=first, **facts)
    again = [_attempt(case, words, place + number != 2, repetition=number) for place, case in enumerate(IDS) for number in (1, 2, 3)]
    store(folder, _attempts(words, failed=(0, 2, 3)), HOSTILE_RUN, repetitions=again, baseline=first, **facts)
    rebuild(ledger_path(agent_dir(folder / "runs", HOSTILE_AGENT)))
    write_calibrations(folder, HOSTILE_AGENT, said=words, name=words[:200])
    return ()


def _attempts(words: str, *, failed: tuple[int, ...]) -> list[Attempt]:
    found = [_attempt(case, words, place not in failed) for place, case in enumerate(IDS)]
    error = Failure(ErrorKind.EXCEPTION, "<b>Error</b>", words, words)
    found.append(an_attempt("error " + words[:60], None, prompt=words, error=error, tags=(words[:60],)))
    quarantine = {"until": "2026-12-15", "reason": words}
    found.append(_attempt("quarantined " + words[:40], words, False, role=Role.QUARANTINED, quarantine=quarantine))
    for place, (parent, passed) in enumerate(((RTL_ID, False), (HOSTILE_CASE, True), ("absent " + words[:90], False))):
        made = {"source": "adversarial", "parent_id": parent, "mutation_type": words[place * 30 :][:200]}
        found.append(_attempt(f"mutant {place} {words[:60]}", words, passed, **made))
    return found


def _attempt(case: str, words: str, passed: bool, **changes: Any) -> Attempt:
    """A whole attempt of which every text is hostile; the first case's answer is 10,000 characters long."""
    output = (
        (words * 20)[:10_000] if case == HOSTILE_CASE else f"{words}\n{'failed' if not passed else 'passed'} {changes.get('repetition', 0)}"
    )
    names = ("tool <img src=x>", f"tool {words[2:90]}")
    expected = [f"expected {words[2:60]}", names[0]]
    scores = (
        Score(f"check {words[:40]}", float(passed), passed, words, {"note": words}, feeds=Feeds.CORRECTNESS),
        Score("trajectory", 0.5, None, words, {"expected": expected, "actual": list(names)}, False, Feeds.TRAJECTORY),
        Score("broken [x](//evil.test)", error=words, required=False),
    )
    return an_attempt(
        case,
        passed,
        **{
            "prompt": words,
            "output": output,
            "scores": scores,
            "usage": Usage(100, 20),
            "cost_usd": 0.001,
            "model": "<b>model</b> ![m](//evil.test)",
            "tool_calls": tuple(ToolCall(name, {words[:50]: words}, words, words, "<id>") for name in names),
            "steps": (
                Step("<b>kind</b>", names[1], {"q": words}, words, 0.0, 40.0, 10, 5, 0.001),
                Step("tool_call", names[0], words, None, 40.0, 50.0, error=words, parent=0),
                Step("message", words[:120], None, words),
            ),
            "retrieved_context": ({"id": words[:80], "text": words}, {"url": "javascript:alert(1)", "title": "<b>t</b>", "text": words}),
            "citations": (words[:80], "[unknown](//evil.test)"),
            "raw": {"<b>raw</b>": words, "nested": {words[:40]: [words]}},
            "expects": {"contains": words, "must_call_tools": [words[:60]], "expected_trajectory": expected},
            "evaluators": ({words[:40]: {"param": words}},),
            "tags": (words[:60], "<b>tag</b>", "[tag](//evil.test)"),
            "notes": (words,),
            "metadata": {words[:40]: words},
            **changes,
        },
    )
