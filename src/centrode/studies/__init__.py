"""Many runs from edited scenarios: sweeps, Monte Carlo bands, optimisation, reconstruction, method tables."""
