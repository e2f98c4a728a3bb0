"""CI for LLM agents."""
