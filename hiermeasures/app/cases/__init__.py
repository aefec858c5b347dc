"""The library page: the papers' figures, with a check of every published value."""
