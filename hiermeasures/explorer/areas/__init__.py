"""The areas of the Explorer's screen: what is in them, and what happens where a person uses it."""
