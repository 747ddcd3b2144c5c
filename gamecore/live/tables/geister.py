"""Played in the page."""

from gamecore.live.plan import GameTable

TABLE = GameTable([], {})
