"""The Explorer without a host: its state, its gestures, what is drawn of it, and the scripts that
draw it.
"""
