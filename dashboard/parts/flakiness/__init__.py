"""The page Flakiness."""
