"""CAFA's protocol for scored terms of an ontology: its thresholds, sums and clusters."""
