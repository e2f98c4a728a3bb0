"""Telling: results as console text, Markdown and JSON."""
