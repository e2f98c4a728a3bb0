"""Builders of values for tests: small, explicit, with sensible defaults."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from agenteval.model.attempt import Attempt
from agenteval.model.facts import counts_of, facts_of
from agenteval.model.run import Run, RunHead, Selection, SuiteRef
from agenteval.model.score import Feeds, Score
from agenteval.model.status import Status


def shared_data(*parts: str) -> Path:
    """A path among the real data files; skips the test, with the reason, where they are absent."""
    root = Path(os.environ.get("AGENTEVAL_DATA") or Path(__file__).parents[2] / "shared")
    path = root.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"real data absent: {'/'.join(parts)} not found; set AGENTEVAL_DATA to the folder that holds data/ and acceptance/")
    return path


def an_attempt(case_id: str = "a", passed: bool | None = True, **changes: Any) -> Attempt:
    """An attempt with one exact score; ``passed`` None gives an agent error."""
    status = {True: Status.PASSED, False: Status.FAILED, None: Status.AGENT_ERROR}[passed]
    scores = () if passed is None else (Score("exact", value=float(passed), passed=passed, reason="exact", feeds=Feeds.CORRECTNESS),)
    fields: dict[str, Any] = {
        "case_id": case_id,
        "status": status,
        "correct": passed,
        "prompt": "q",
        "output": "a",
        "scores": scores,
        "latency_ms": 100.0,
        "definition": f"def-{case_id}",
    }
    return Attempt(**{**fields, **changes})


def a_run(
    attempts: list[Attempt], repetitions: list[Attempt] | None = None, run_id: str = "20261130T120000Z-abc1234-000001", **changes: Any
) -> Run:
    """A run over these attempts; ``changes`` go to its head."""
    outcomes = [facts_of(attempt).outcome for attempt in attempts]
    head = {
        "run_id": run_id,
        "agent": "bot",
        "suite": SuiteRef("suite", "suite.yaml", "hash", len(attempts)),
        "started_at": "2026-11-30T12:00:00.000Z",
        "counts": counts_of(outcomes),
        "selection": Selection(),
    }
    return Run(RunHead(**{**head, **changes}), {}, tuple(outcomes), attempts, repetitions or [])


def planted_secrets() -> dict[str, str]:
    """Invented secrets of every kind that must never be stored or shown, by kind: (text that holds it) -> the part that must vanish.

    They are put together here, so that no scanner takes this file for a leak.
    """
    body = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    jwt = ".".join(("eyJ" + "hbGciOiJIUzI1NiJ9", "eyJ" + "zdWIiOiIxMjM0NTY3ODkwIn0", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r"))
    dashes = "-" * 5
    return {
        "the key is sk-" + "proj-" + body + " ok": "sk-" + "proj-" + body,
        "sk-" + "ant-api03-" + body: body,
        "legacy sk-" + body + ".": body,
        "gh" + "p_" + body: body,
        "github" + "_pat_11ABCDEFG0_" + body: body,
        "AI" + "zaSyA1234567890abcdefghijklmnopqrstuv": "SyA1234567890abcdefghijklmnopqrstuv",
        "gs" + "k_" + body: body,
        "h" + "f_abcdefghijklmnopqrstuvwxyzABCDEFGH": "abcdefghijklmnopqrstuvwxyzABCDEFGH",
        "xo" + "xb-123456789012-abcdefGHIJKL": "123456789012-abcdefGHIJKL",
        "id AK" + "IAIOSFODNN7EXAMPLE": "IOSFODNN7EXAMPLE",
        "aws_secret_access_key=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "session " + jwt: jwt,
        "https://hooks.slack.com/"
        + "services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX": "T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
        "Authorization: Bearer abc123def456": "abc123def456",
        "Authorization: Basic dXNlcjpodW50ZXIy": "dXNlcjpodW50ZXIy",
        f"{dashes}BEGIN RSA PRIVATE KEY{dashes}\nMIIEow{body}\n{dashes}END RSA PRIVATE KEY{dashes}": f"MIIEow{body}",
        "postgres://admin:s3cr3t@db.local/app": "s3cr3t",
        "GET https://api.test/v1?apikey=zz81kd02&q=1": "zz81kd02",
        'curl -d {"api_key": "q7-short", "n": 1}': "q7-short",
        "password=hunter2": "hunter2",
        "DB_PASSWORD='p4 ss w0rd'": "p4 ss w0rd",
        "paid with 4111 1111 1111 1111, thanks": "4111 1111 1111 1111",
        "amex 3782-822463-10005": "3782-822463-10005",
    }
