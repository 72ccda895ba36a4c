"""Training: optimizers, steps, saving, sessions that watch."""
