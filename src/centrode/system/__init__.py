"""The user's builder and what it builds: model (constants), state (what moves), layout (names and slots)."""
