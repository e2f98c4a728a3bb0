"""One client for any OpenAI-compatible endpoint: retries, cache, budget, strict parsing. It decides nothing."""
