"""Maps of square Spaces: what stands on them, the routes across them, and the lines of sight and reach."""

from turnwright.space.grid import Cell, Door, Grid, Problem, Terrain, Wall, distance, problems
from turnwright.space.routes import Ground, Obstacle, Price, Reach, cheapest, ground, reach, shared
from turnwright.space.sight import in_reach, line, sees, sees_plainly

__all__ = [
    "Cell",
    "Door",
    "Grid",
    "Ground",
    "Obstacle",
    "Price",
    "Problem",
    "Reach",
    "Terrain",
    "Wall",
    "cheapest",
    "distance",
    "ground",
    "in_reach",
    "line",
    "problems",
    "reach",
    "sees",
    "sees_plainly",
    "shared",
]
