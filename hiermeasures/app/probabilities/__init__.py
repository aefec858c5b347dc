"""The Probabilities page: thresholds, curves, expected values."""
