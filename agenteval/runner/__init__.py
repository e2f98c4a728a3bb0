"""Executing: from a suite and an agent to a stored run."""
