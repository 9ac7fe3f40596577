"""What makes a model move: assembly, multipliers, projection, contact search, energy audit, linearisation."""
