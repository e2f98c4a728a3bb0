"""Reaching agents: loading, calling, and turning whatever they return into evidence."""
