"""The drawing of a structure, as values and text: overlay, layout, scene, SVG, TikZ, views, tables.
No Streamlit, no arrays.
"""
