"""The whole story in one minute, offline: pin a baseline, let a cheaper model regress, see the gate catch it, meet a flaky agent.

Works in demo/ at the project's root (or the folder named as argument), from nothing each time. Exits 0 when the gate did its work, 1 when
it did not.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from agenteval.artifacts.reading import load_sidecar

ROOT = Path(__file__).parents[1]
DEMO = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / "demo"
REGRESSED = "refund_too_late"
"""The case that matters most: money paid back 60 days after delivery."""


class UnexpectedError(Exception):
    """A step did not end as the story needs it to."""


def agenteval(*arguments: str, expect: Sequence[int] = (0,)) -> str:
    """Run one command in demo/, show it, and return what it printed."""
    print(f"\n$ agenteval {' '.join(arguments)}", flush=True)
    done = subprocess.run([sys.executable, "-m", "agenteval", *arguments], cwd=DEMO, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    print(done.stdout, end="", flush=True)
    if done.returncode not in expect:
        raise UnexpectedError(f"`agenteval {' '.join(arguments)}` ended with {done.returncode}; {' or '.join(map(str, expect))} was due")
    return done.stdout


def story() -> None:
    """The steps, each with the exit code that it must have."""
    agenteval("run", "--agent", "support_agent", "--quiet", "--label", "careful model")
    agenteval("baseline", "set", "latest", "--agent", "support_agent")
    agenteval("run", "--agent", "support_agent", "--quiet", "--label", "careful model, again")
    agenteval("run", "--agent", "support_agent", "--model", "hasty-2", "--quiet", "--label", "cheaper model", expect=[1])
    compared = agenteval("compare", "--agent", "support_agent", expect=[1])
    if REGRESSED not in compared:
        raise UnexpectedError(f"the comparison does not name {REGRESSED}")
    agenteval("run", "--agent", "support_agent_moody", "--repeat", "5", "--repeat-all", "--quiet", expect=[0, 1])
    if not flaky_cases():
        raise UnexpectedError("five repeats of the moody model show no flaky case")


def flaky_cases() -> list[str]:
    """Cases of the repeated run that passed in some attempts and failed in others."""
    (sidecar,) = (DEMO / "runs/support_agent_moody/flakiness").glob("*.json")
    return [case.case_id for case in load_sidecar(sidecar).cases if 0 < case.passed < case.total]


def main() -> int:
    """The exit code."""
    shutil.rmtree(DEMO, ignore_errors=True)
    shutil.copytree(ROOT / "examples/support_agent", DEMO, ignore=shutil.ignore_patterns("runs", "baselines", "__pycache__"))
    try:
        story()
    except UnexpectedError as problem:
        print(f"\nThe demo did not go as it must: {problem}", file=sys.stderr)
        return 1
    print(f"\nThe gate caught it: the cheaper model pays refunds that the policy forbids ({REGRESSED}, and others above).")
    print("Open the evidence:  make dashboard    (or: cd demo && agenteval dashboard)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
