"""What the pages are made of: the selection in the URL, cached stored values, and pieces of page."""
