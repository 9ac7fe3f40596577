"""Mechanics at a state: names for everything that moves, and the equations of motion as labelled arrays."""
