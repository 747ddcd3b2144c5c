"""Geister (ガイスター): retrograde analysis by bit matrices, and mixed strategies by CFR.

A game is a chain of states: `start` gives the first, chance colours the pieces, and moves such as
``"a4 up"`` or ``"a1 escape"`` lead on. `match` lets two players meet, whom the thesis or you wrote;
`ask` says what one of them would do. `retrograde` solves a board with open colours, `best_move` and
`value` look into it; `retrograde_hidden` finds the wins that hold whatever the opponent's colours
are, and `mixture` is the CFR player's strategy in one position.

``ENDINGS``
    How a game ends, said of the first player: the six kinds of win and loss, and a draw.
``PLAYERS``
    The players' names: random, charge, purple, anti, cfr-a, cfr-b.

Examples
--------
>>> retrograde(3, 3, 1, 1)
Retrograde: 3×3, up to 1 blue and 1 red a side; 3,024 positions: 2,440 wins, 584 losses, 0 draws

References
----------
Naoto Kawakami, master's thesis on mixed-strategy AI for 4×4 Geister (in Japanese), JAIST, 2021.
"""

from gamecore.geister.hidden import Hidden, retrograde_hidden
from gamecore.geister.matches import match
from gamecore.geister.players import PLAYERS, ask, settings
from gamecore.geister.rules import Move, Position
from gamecore.geister.solution import Retrograde, best_move, retrograde, value
from gamecore.geister.state import ENDINGS, State, start
from gamecore.geister.strategy import Mixture, mixture
from gamecore.geister.view import View

__all__ = [
    "ENDINGS", "PLAYERS", "Hidden", "Mixture", "Move", "Position", "Retrograde", "State", "View",
    "ask", "best_move", "match", "mixture", "retrograde", "retrograde_hidden", "settings", "start",
    "value",
]  # fmt: skip
