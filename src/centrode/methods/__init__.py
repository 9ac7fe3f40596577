"""How a state advances by one step: one method, one file."""
