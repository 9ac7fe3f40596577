"""Attitude formalisms of a free body compared: error, drift, order and cost."""
