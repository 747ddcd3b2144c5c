"""Places in a chapter where the page itself computes.

The kernels come to a page as WebAssembly (`gamecore.live`, when the book's modules are built); a
panel (``book/_static/live/live.js``) plays a chunk with them and compares it with the stored row.
"""

import html

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
