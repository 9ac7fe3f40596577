"""Points: named places with a local frame on bodies."""
