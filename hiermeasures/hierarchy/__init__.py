"""The hierarchy: its classes and edges, weights, label notations, options, errors and expressions.

Every other folder uses this one. It does not import from the others.
"""
