"""Figures of recordings and studies, drawn with matplotlib."""
