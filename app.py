"""The Streamlit entry: the app itself is hiermeasures.ui.frame."""

from hiermeasures.ui.frame import main

main()
