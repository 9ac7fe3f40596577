"""Cars: the ready-made car, the car of the MEDUSA report, and how either is put on a road at rest."""
