"""Stored runs as documented DataFrames and plotly figures; ``frames`` alone needs pandas, ``palette`` neither.

Import the module you need inside the function that draws: a page's words never wait for a chart library.
"""
