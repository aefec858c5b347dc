"""The Explorer without a host: its state, its gestures, its screen, and the scripts that draw it."""
