"""The interface: Streamlit pages. Nothing is computed about measures here."""
