"""Keeping: runs, ledgers, baselines and journals as plain files."""
