"""Daifugo (大富豪), and the player that lets another one win (忖度)."""

from gamecore.daifugo.cards import DECK, Play, legal_plays
from gamecore.daifugo.draw import cards_svg
from gamecore.daifugo.players import PLAYERS, TIES, Series, Sontaku, replay, rewards, series
from gamecore.daifugo.rules import STARTS, Rules
from gamecore.daifugo.table import SEATS, Record, Table

__all__ = [
    "DECK", "PLAYERS", "SEATS", "STARTS", "TIES", "Play", "Record", "Rules", "Series", "Sontaku",
    "Table", "cards_svg", "legal_plays", "replay", "rewards", "series",
]  # fmt: skip
