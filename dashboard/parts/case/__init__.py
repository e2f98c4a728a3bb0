"""The page Case."""
