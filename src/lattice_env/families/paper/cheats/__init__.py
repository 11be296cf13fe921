"""The cheats against papers: one file each, found by its `CHEAT`."""
