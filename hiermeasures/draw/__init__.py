"""Pictures of a structure: overlay, layout, scene, SVG, TikZ, views and tables.

A scene is shapes with coordinates and roles; painters only paint it. No Streamlit, no arrays.
"""
