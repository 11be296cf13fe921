"""Faults that really happened: from the histories of LaTeX papers to tasks of the family `mined`."""
