"""Keeping evidence: run files, sidecars, ledgers, baselines, journals, archives; older formats. Decides nothing."""
