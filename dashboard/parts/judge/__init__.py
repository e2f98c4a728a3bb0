"""The page Judge."""
