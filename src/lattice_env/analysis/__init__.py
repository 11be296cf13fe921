"""From what agents did to what it says: labels, splits, reports."""
