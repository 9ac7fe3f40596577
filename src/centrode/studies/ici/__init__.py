"""Instantaneous-centre integration as a study: path, centrodes, error, cost and stability of every method.

    scenario (start pose, rates)  ->  method  ->  path  ->  errors, tables, figures

Rooms: rates, scenario, methods, path, fleet (many vehicles), space, errors,
cost, stability, printed (the thesis' tables as printed), tables (cell by cell), misprints, published (checks).
"""
