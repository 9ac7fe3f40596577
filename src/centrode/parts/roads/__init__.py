"""Roads: height, normal and friction at every point below a wheel."""
