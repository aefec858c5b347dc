"""The player of lessons, without a host.

A player is an immutable state (model.py), and its screen is made of controls (screen.py). A host
has one player, draws `drawn`, and calls `after` for each input.
"""
