"""Maps of square Spaces with routes and lines of sight, Zones with ways between them, and stated relations."""

from turnwright.space.grid import Cell, Door, Grid, Problem, Terrain, Wall, distance, problems
from turnwright.space.routes import Ground, Obstacle, Price, Reach, cheapest, ground, reach, shared
from turnwright.space.sight import in_reach, line, sees, sees_plainly
from turnwright.space.zones import Way, Zone, Zones

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
    "Way",
    "Zone",
    "Zones",
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
