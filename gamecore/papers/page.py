"""Places in a chapter where the page itself computes.

The kernels come to a page as WebAssembly (`gamecore.live`, when the book's modules are built); a
panel (``book/_static/live/live.js``) plays a chunk with them and compares it with the stored row.
"""

import html

from gamecore import check
from gamecore.papers.experiment import find
from gamecore.papers.show import Html


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


def play(widget: str, title: str) -> Html:
    """Return the place of something to play; without a page that computes, it says how else.

    Parameters
    ----------
    widget : str
        Its name, which begins with the game's: a file of ``book/_static/live/play``.
    title : str
        What a reader is asked to do.

    Examples
    --------
    >>> "<code>gamecore play rps</code>" in play("rps", "Fifty rounds against a learner")
    True
    """
    name, game = html.escape(check.text(widget, "widget")), html.escape(widget.split("-")[0])
    return Html(
        f'<div class="play" data-game="{game}" data-widget="{name}" '
        f'data-title="{html.escape(check.text(title, "title"))}"><p>Play in a terminal: '
        f"<code>gamecore play {game}</code></p></div>"
    )
