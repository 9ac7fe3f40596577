"""The viewer: one frame protocol for replay and for live driving."""
