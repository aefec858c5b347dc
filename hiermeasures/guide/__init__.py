"""Which measure to report, each claim computed: the guide, the claims of the documentation, and the
selector.
"""
