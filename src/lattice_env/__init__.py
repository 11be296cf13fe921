"""Verifiable document tasks for training and evaluating agents that write, repair and read documents."""
