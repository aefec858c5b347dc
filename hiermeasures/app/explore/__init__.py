"""The Explore page: a hierarchy with true and predicted classes, every measure, and the structure
behind each.
"""
