"""Played in the page."""

from gamecore.live.plan import Table

TABLE = Table([], {})
