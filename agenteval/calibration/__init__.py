"""Setting a judge against people: a golden set is judged and the verdicts are compared with those of people."""
