"""Places in a chapter where the page itself computes.

The kernels come to a page as WebAssembly (`gamecore.live`, when the book's modules are built); a
panel (``book/_static/live/live.js``) plays a chunk with them and compares it with the stored row.
"""

import html

from gamecore import check
from gamecore.papers.experiment import find
from gamecore.papers.markup import Html


def recompute(name: str) -> Html:
    """Return the place of the panel that recomputes an experiment; without one it says how.

    Parameters
    ----------
    name : str
        An experiment's, of those that the book's modules know.

    Raises
    ------
    ValueError
        If no experiment has this name.

    Examples
    --------
    >>> "<code>gamecore run rps/practice</code>" in recompute("rps/practice")
    True
    """
    shown = html.escape(find(name).name)
    return Html(
        f'<div class="recompute" data-experiment="{shown}"><p>Recompute it in a terminal: '
        f"<code>gamecore run {shown}</code></p></div>"
    )


#: What there is to do in the page, by the name of its script in ``book/_static/live/play``, which
#: begins with the game's.
WIDGETS = {
    "rps": "Fifty rounds against a player that learns",
    "pokemon": "Be read: battle Nash, a noisy Nash, or a hidden habit",
    "geister": "Hide your colours: play the thesis's six players",
    "geister-explorer": "Open any position: the solved 4×4 board",
    "geister-tsume": "Tsume-Geister: find the one move that wins",
    "triomineering": "Watch it think, then move at the same time",
    "goofspiel": "Choose what it may see, then play it",
    "daifugo": "The helpful neighbour: whom does it help?",
    "daifugo-replay": "What would you play? Three games of the helper",
}


def play(widget: str) -> Html:
    """Return the place of something to play; without a page that computes, it says how else.

    Parameters
    ----------
    widget : str
        One of `WIDGETS`.

    Examples
    --------
    >>> "<code>gamecore play rps</code>" in play("rps")
    True
    """
    name = check.one_of(widget, "widget", tuple(WIDGETS))
    game = name.split("-")[0]
    return Html(
        f'<div class="play" data-game="{game}" data-widget="{name}" '
        f'data-title="{html.escape(WIDGETS[name])}"><p>{html.escape(WIDGETS[name])}: this needs '
        f"JavaScript and WebAssembly. In a terminal: <code>gamecore play {game}</code></p></div>"
    )
