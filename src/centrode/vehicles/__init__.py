"""Ready-made systems: cars, bicycles, underwater vehicles, mechanisms."""
