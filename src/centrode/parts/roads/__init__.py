"""Roads: one kind, one file. All kinds turn into the table that :mod:`centrode.parts.roads.road_point` reads."""
