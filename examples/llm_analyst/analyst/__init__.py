"""An analyst that answers questions about a company's people: a language model with three read-only SQL tools."""
