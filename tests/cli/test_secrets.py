"""No planted secret reaches a file, a stream or a report, whichever way it came in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders import planted_secrets

ROOT = Path(__file__).parents[2]
FROM_ENVIRONMENT = "correct-horse-battery"
AGENT = """
import json, os
SECRETS = json.loads(open("secrets.json", encoding="utf-8").read())
def answer(prompt):
    texts = [*SECRETS, os.environ["ACME_API_KEY"]]
    if prompt == "raise":
        try:
            raise KeyError(texts[0])
        except KeyError as error:
            raise RuntimeError("; ".join(texts)) from error
    steps = [{"kind": "tool_call", "name": "call", "input": {"text": text, "api_key": "plain-words"}, "output": text} for text in texts]
    return {"output": "\\n".join(texts), "trace_steps": steps, "raw": {"headers": {"Authorization": "opaque"}, "texts": texts},
            "retrieved_context": [{"id": "1", "text": texts[2]}], "citations": texts[:1]}
"""


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("leaky")
    (folder / ".git").mkdir()
    (folder / "secrets.json").write_text(json.dumps(list(planted_secrets())))
    (folder / "leaky.py").write_text(AGENT)
    holder = next(iter(planted_secrets()))
    cases = [
        {"id": "echo", "prompt": "echo", "expects": {"correctness_type": "contains", "ground_truth": holder}, "metadata": {"note": holder}},
        {"id": "raise", "prompt": "raise", "expects": {"correctness_type": "exact", "ground_truth": "x"}},
        {"id": "asked", "prompt": holder, "expects": {"correctness_type": "exact", "ground_truth": "x"}},
    ]
    (folder / "suite.yaml").write_text(json.dumps(cases))
    outputs = [agenteval(folder, "run", "suite.yaml", "--agent", "leaky:answer", "-v", "--label", holder, "--meta", f"k={holder}")]
    outputs += [agenteval(folder, "trace", "latest", "--case-id", case["id"], "-v") for case in cases]
    outputs += [agenteval(folder, "trace", "latest", "--case-id", "echo", "--json"), agenteval(folder, "runs", "show", "latest")]
    return folder, "".join(result.stdout + result.stderr for result in outputs)


def agenteval(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "agenteval", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "ACME_API_KEY": FROM_ENVIRONMENT},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
    )


SECRETS = [*planted_secrets().values(), FROM_ENVIRONMENT, "plain-words", "opaque"]


@pytest.mark.parametrize("secret", SECRETS, ids=range(len(SECRETS)))
def test_no_file_holds_it(finished, secret):
    folder, _ = finished
    written = [path for path in folder.rglob("*") if path.is_file() and path.name not in ("secrets.json", "leaky.py", "suite.yaml")]

    holding = [path.name for path in written if secret in path.read_text(encoding="utf-8", errors="replace") and path.suffix != ".pyc"]

    assert any(path.parent.name == "leaky_answer" or path.suffix == ".json" for path in written)
    assert holding == []


@pytest.mark.parametrize("secret", SECRETS, ids=range(len(SECRETS)))
def test_nothing_that_is_printed_holds_it(finished, secret):
    _, printed = finished
    told = [line for line in printed.splitlines() if secret in line]

    assert told == []


def test_an_expected_secret_is_still_found_in_the_answer(finished):
    folder, _ = finished
    document = json.loads(next(folder.glob("runs/*/*-*.json")).read_text(encoding="utf-8"))

    assert {row[0]: row[1] for row in document["outcomes"]["rows"]}["echo"] == "passed"
