"""The fault operators of papers: one file each, found by its `OPERATOR`."""
