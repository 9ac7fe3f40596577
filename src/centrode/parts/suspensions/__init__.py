"""Suspensions: what carries the load between a car body and its wheels."""
