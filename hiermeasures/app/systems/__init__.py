"""The page Compare: whole prediction files, ranked, compared, and back to the instance."""
