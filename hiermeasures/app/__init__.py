"""The interface: Streamlit pages, the graph and value components, and what they draw. Nothing is computed about
measures here.
"""
