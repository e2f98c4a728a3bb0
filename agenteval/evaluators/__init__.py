"""Judging: one evaluator a claim, compiled from what a case declares."""
