"""Flakiness: how steady are the repeated cases?"""

from __future__ import annotations

from parts.chrome import view
from parts.flakiness import show

show(view())
