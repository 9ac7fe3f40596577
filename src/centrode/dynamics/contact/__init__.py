"""Contact search: which outlines touch, where, how deep; and the forces that follow for both bodies."""
