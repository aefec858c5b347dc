"""The page of properties."""
