"""A customer-support agent of a small shop: offline, deterministic, with real tools over a real database."""
