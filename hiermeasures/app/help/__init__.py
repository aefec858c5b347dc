"""The Help page: the pages, the keys, and the version to cite and to report."""
