"""The bicycle: four rigid bodies, three hinges, two rolling wheels; its parameters, linear theory, turns and riders."""
