"""Hierarchies as pictures: where classes stand, what is laid over them, the clickable graph and the drawing that stands
still.
"""
