"""Flakiness: how steady are the repeated cases?"""

from __future__ import annotations

from parts.chrome import view
from parts.flakiness.page import show

show(view())
