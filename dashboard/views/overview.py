"""Overview: is this run good enough, and what changed?"""

from __future__ import annotations

from parts.chrome import view
from parts.overview.page import show

show(view())
