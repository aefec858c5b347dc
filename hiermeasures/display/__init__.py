"""How hierarchies, explanations, reports and comparisons show themselves in a notebook and in what is made of one: as
HTML, LaTeX and plain text.

Pictures are those of the app (hiermeasures.ui.graph), numbers are the objects' own; here they are only put together.
The classes ask for these functions when they are shown, so that none of them depends on this package.
"""
