"""Turnwright: the rules engine and the table for the action economies of tabletop role-playing games."""

from turnwright.documents import BadScene
from turnwright.log import BadLog, Differs
from turnwright.model import GUIDE, Refused, Ruling, Withdraw
from turnwright.odds import Odds, TooMany, percent, play_out
from turnwright.rules import find_game, games
from turnwright.table import Table, load_scene, read_scene, replay, verify

__version__ = "0.1.0"

__all__ = [
    "GUIDE",
    "BadLog",
    "BadScene",
    "Differs",
    "Odds",
    "Refused",
    "Ruling",
    "Table",
    "TooMany",
    "Withdraw",
    "find_game",
    "games",
    "load_scene",
    "percent",
    "play_out",
    "read_scene",
    "replay",
    "verify",
]
