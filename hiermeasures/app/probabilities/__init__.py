"""One instance with probabilities: thresholds, curves, expected values."""
