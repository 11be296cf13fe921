"""One attempt at a task, and the record that it leaves."""
