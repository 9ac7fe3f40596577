"""Scenario files: their schema, the loader that names file and line of every fault, and legacy formats."""
