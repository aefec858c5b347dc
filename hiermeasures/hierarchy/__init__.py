"""The hierarchy and what every other folder rests on: its classes and edges, their weights,
options, errors, label sets, expressions. Imports nothing else of the package.
"""
