"""The cards of the front page, one module for each chapter, and what README says of them.

A module has a ``TITLE``, its ``TEXT`` on the front page, what README's table says (``PAPER``,
``SHOWS``), and, if it has a picture, ``draw``, from axes to what the picture shows in words. The
order is that of the book's contents.
"""

import io
import re
import textwrap
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType

import matplotlib as mpl
from matplotlib.figure import Figure

from gamecore.papers import scoreboard
from gamecore.papers.markup import Html

ROOT = Path(__file__).resolve().parents[2]
#: Drawn in place of the page's own text colour, which matplotlib cannot know.
INK = "#010203"
STYLE = {
    "font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "axes.titlesize": 9,
    "text.color": INK, "axes.labelcolor": INK, "axes.edgecolor": INK,
    "xtick.color": INK, "ytick.color": INK,
    "svg.fonttype": "none", "svg.hashsalt": "cover", "legend.frameon": False,
    "axes.grid": True, "grid.alpha": 0.25, "axes.axisbelow": True,
}  # fmt: skip


def found() -> dict[str, ModuleType]:
    """Return the card of every chapter in the contents, those with a picture first."""
    contents = (ROOT / "_toc.yml").read_text(encoding="utf-8")
    games = re.findall(r"file: notebooks/(\w+)", contents)
    cards = {game: import_module(f"{__name__}.{game}") for game in games}
    return dict(sorted(cards.items(), key=lambda card: not hasattr(card[1], "draw")))


def cover(draw: Callable[[mpl.axes.Axes], str]) -> Html:
    """Return one picture as SVG in the page's colours, with what it shows as its alt text."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(3.6, 2.2), layout="constrained")
        words = draw(figure.subplots())
        text = io.StringIO()
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None})
    drawing = text.getvalue()
    drawing = drawing[drawing.index("<svg") :].replace(INK, "currentColor")
    drawing = drawing.replace("<svg", f'<svg role="img" aria-label="{words}"', 1)
    return Html(f'<div class="drawn cover">{drawing}</div>')


def cards() -> str:
    """Return the front page's cards as Markdown; pictures and verdicts are glued in by the page."""
    items = []
    for game, card in found().items():
        glued = "```{{glue}} {}-{}\n```\n"
        top, bottom = (
            glued.format(game, part) if hasattr(card, "draw") else "" for part in ("cover", "box")
        )
        items.append(
            f":::{{grid-item-card}} {card.TITLE}\n:link: /notebooks/{game}\n:link-type: doc\n"
            f"{top}{card.TEXT.strip()}\n{bottom}:::\n"
        )
    grid = "::::{grid} 1 1 2 2\n:gutter: 3\n:class-container: covers\n\n"
    return grid + "\n".join(items) + "::::\n"


def previews(folder: Path) -> str:
    """Draw the pictures that links to chapters are shown with, and say how many there are."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = {game: card for game, card in found().items() if hasattr(card, "draw")}
    for game, card in drawn.items():
        with mpl.rc_context(STYLE | {"font.size": 18, "axes.titlesize": 20}):
            figure = Figure(figsize=(12, 6.3), layout="constrained")
            card.draw(figure.subplots())
            figure.suptitle(card.TITLE)
            figure.savefig(folder / f"{game}.png", dpi=100, metadata={"Software": None})
    return f"{len(drawn)} previews"


def table() -> str:
    """Return README's table of chapters."""
    rows = [
        f"| [{game}](notebooks/{game}.ipynb) | {card.PAPER} | {card.SHOWS} |"
        for game, card in found().items()
    ]
    return "\n".join(["| chapter | paper | what is recomputed |", "|---|---|---|", *rows])


def readme() -> str:
    """Return README with the headline and the table of chapters as they are now."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    first, *rest = scoreboard.headline(scoreboard.board())
    parts = {"headline": f"**{first}**\n{textwrap.fill(' '.join(rest), 100)}", "chapters": table()}
    for name, part in parts.items():
        pattern = rf"(<!-- {name} -->\n).*?(\n<!-- end of {name} -->)"
        text, count = re.subn(pattern, lambda m, part=part: m[1] + part + m[2], text, flags=re.S)
        if count != 1:
            raise ValueError(f"README.md needs one <!-- {name} --> and <!-- end of {name} -->")
    return text
