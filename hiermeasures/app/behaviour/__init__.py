"""The Behaviour page."""
