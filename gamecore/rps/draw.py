"""Pictures of a round."""

from gamecore import check
from gamecore.rps.rules import MOVES, outcome
from gamecore.svg import drawing, text

_SIGNS = ("●", "■", "✂")  # a stone, a sheet, a pair of scissors


def play_svg(move: str | None = None, reply: str | None = None) -> str:
    """Return a round as SVG: both moves and who wins, or that both are to choose.

    Examples
    --------
    >>> "paper beats rock" in play_svg("paper", "rock")
    True
    """
    if move is None and reply is None:
        marks, words = ("?", "?"), "both choose"
    else:
        i, j = (MOVES.index(check.one_of(each, "a move", MOVES)) for each in (move, reply))
        won = int(outcome(i, j))
        first, second = (move, reply) if won >= 0 else (reply, move)
        words = f"{first} beats {second}" if won else f"both {move}: a draw"
        marks = _SIGNS[i], _SIGNS[j]
    signs = text(50, 48, marks[0], "middle", 40) + text(150, 48, marks[1], "middle", 40)
    return drawing(200, 84, signs + text(100, 74, words, "middle"), words)
