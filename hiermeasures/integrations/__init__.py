"""Metrics of other packages over a `Meter`; each module needs the package that its error names."""
