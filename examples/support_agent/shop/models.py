"""The three brains that the agent can be run with, as a team would compare two models and meet a moody one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Model:
    """How an agent behaves.

    Attributes:
        checks_policy: Whether it looks at the return policy before it pays.
        guesses_delivery: Whether it names a delivery time that no tool told it.
        moodiness: Chance in [0, 1] that it takes a shortcut in one conversation, by the seed it is given.
        usd_per_token: What one word or mark costs.
        pace: Speed relative to the careful model.
    """

    name: str
    checks_policy: bool = True
    guesses_delivery: bool = False
    moodiness: float = 0.0
    usd_per_token: float = 10e-6
    pace: float = 1.0


MODELS = {
    model.name: model
    for model in (
        Model("careful-1"),
        Model("hasty-2", checks_policy=False, guesses_delivery=True, usd_per_token=4e-6, pace=0.5),
        Model("moody-3", moodiness=0.35),
    )
}
DEFAULT = "careful-1"
