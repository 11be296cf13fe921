"""Who acts: agents of episodes, and the repair loop."""
