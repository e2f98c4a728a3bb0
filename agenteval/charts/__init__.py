"""Stored runs as DataFrames and plotly figures."""
