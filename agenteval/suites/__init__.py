"""Reading suites and ``agents.yaml``: files in, frozen values and problems out."""
