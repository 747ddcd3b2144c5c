"""Daifugo (大富豪), and the player that lets another one win (忖度).

A game is a chain of states: `start` gives the first, chance deals, and moves such as ``"S3 H3"``,
``"C4 JO=C5 C6"`` or ``"pass"`` lead on. `series` plays games between four players, whom the paper
or you wrote; `ask` says what a player would do, and `rewards` how the sontaku player weighs it.

``DECK``
    All 53 cards from weak to strong: suit and rank, such as ``"S3"`` or ``"HT"``, then ``"JO"``.
``INFORMATION``
    Whose hands the sontaku player may see; ``Sontaku.information`` is an index of it.
``MODELS``
    Who plays in its playouts; ``Sontaku.model`` is an index of it.
``PLAYERS``
    The players' names: random, greedy, sontaku.
``SEATS``
    The seats clockwise, in the order of turns; the paper's sontaku player sits in seat 0.
``STARTS``
    Who may lead the first trick; ``Rules.start`` is an index of it.
``TIES``
    How the sontaku player may break ties; ``Sontaku.ties`` is an index of it.

Examples
--------
>>> series(10, 1, ["random"] * 4)
Series: 10 games; mean points Sontaku 2.00, CPUA 1.40, CPUB 0.50, CPUC 2.10

References
----------
H. Ohmuro and D. Yokoyama, "A study of a computer player that enable letting a specific opponent
win in Daifugo" (in Japanese), IPSJ National Convention, 4S-04.
"""

from gamecore.daifugo.cards import DECK, Play, legal_plays
from gamecore.daifugo.draw import cards_svg
from gamecore.daifugo.matches import Series, series
from gamecore.daifugo.players import PLAYERS, Sontaku, ask, rewards
from gamecore.daifugo.rules import SEATS, STARTS, Rules
from gamecore.daifugo.state import State, View, log, start
from gamecore.daifugo.thinking import INFORMATION, MODELS, TIES

__all__ = [
    "DECK", "INFORMATION", "MODELS", "PLAYERS", "SEATS", "STARTS", "TIES", "Play", "Rules",
    "Series", "Sontaku", "State", "View", "ask", "cards_svg", "legal_plays", "log", "rewards",
    "series", "start",
]  # fmt: skip
