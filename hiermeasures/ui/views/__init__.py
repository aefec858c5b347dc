"""The views of the Explorer: what can be drawn of an instance on its hierarchy, one module per view."""
