"""Pictures of a round."""

from gamecore.rps.rules import MOVES, outcome
from gamecore.svg import drawing, text

_SIGNS = ("●", "■", "✂")  # a stone, a sheet, a pair of scissors


def play_svg(move: int, reply: int) -> str:
    """Return a round as SVG: both moves, indices of `MOVES`, and who wins.

    Examples
    --------
    >>> "paper beats rock" in play_svg(1, 0)
    True
    """
    for chosen in (move, reply):
        if chosen not in range(len(MOVES)):
            raise ValueError(f"a move is an index of {MOVES}, not {chosen!r}")
    won = int(outcome(move, reply))
    first, second = (move, reply) if won >= 0 else (reply, move)
    words = f"{MOVES[first]} beats {MOVES[second]}" if won else f"both {MOVES[move]}: a draw"
    signs = text(50, 48, _SIGNS[move], "middle", 40) + text(150, 48, _SIGNS[reply], "middle", 40)
    return drawing(200, 84, signs + text(100, 74, words, "middle"), words)
