"""Small systems of the 6-DOF lecture and the numbers that belong to them."""
