"""The Systems page: whole prediction files, ranked, compared, and back to the instance."""
