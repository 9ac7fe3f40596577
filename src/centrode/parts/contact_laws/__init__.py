"""Contact laws: the force between two outlines from their overlap and its rate."""
