"""Lessons as they are taken, without what draws them: a player is an immutable state (model.py)
whose screen is made of controls (screen.py). A host holds one, draws `drawn`, and has `after` apply
what a person does.
"""
