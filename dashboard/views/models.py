"""Models: which agent does this suite best, and how sure is that?"""

from __future__ import annotations

from parts.chrome import view
from parts.models.page import show

show(view())
