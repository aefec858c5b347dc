"""Pictures of a structure: overlay, layout, scene, SVG, TikZ, views and tables.

A scene consists of shapes with coordinates and roles. Painters turn it into SVG or TikZ. This folder
does not use Streamlit or arrays.
"""
