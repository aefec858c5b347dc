"""Which measure to report, each claim computed: the guide, general claims, and the selector."""
