"""Tyres: one kind, one file. What all of them share is in :mod:`centrode.parts.tyres.contract`."""
