"""The collision report: delta-V, direction of force, impulse, duration and energy of every collision."""
