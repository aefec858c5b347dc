"""The Explorer for every host: its state, gestures, screen, and scripts."""
