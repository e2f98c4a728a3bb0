"""Robustness: which adversarial cases break the agent, and how often?"""

from __future__ import annotations

from parts.chrome import view
from parts.robustness.page import show

show(view())
