"""One instance with probabilities: its thresholds, curves and expected values."""
