"""Beams: flexible links made of sections and elastic elements between them."""
