"""The library page: the papers' figures, and what became of their published values."""
