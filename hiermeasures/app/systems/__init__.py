"""The page Compare: rank and compare systems by their prediction files, and open any instance."""
