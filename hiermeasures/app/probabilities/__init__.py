"""The page Scores: thresholds, curves, expected values."""
