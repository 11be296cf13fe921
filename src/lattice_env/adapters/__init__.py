"""Harnesses that run the task packages; each adapter needs its harness installed."""
