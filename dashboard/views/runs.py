"""Runs: what is stored, where, and is it as it was written?"""

from __future__ import annotations

from parts.chrome import view
from parts.runs.page import show

show(view())
