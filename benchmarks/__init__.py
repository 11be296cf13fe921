"""What the verifier and the generator cost, each figure as a ratio to a peer measured in the same run."""
