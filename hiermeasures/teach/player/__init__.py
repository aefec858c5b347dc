"""The player of lessons, for every host.

A player is an immutable state (model.py). Its screen consists of controls (screen.py). A host has
one player, draws `drawn`, and calls `after` for each input.
"""
