"""Controllers: sampled at their own rate, they turn measurements into commands."""
