"""SVG text for pictures of positions: a frame with a title, words, and pictures in rows.

Lines and words take the page's own colour (``currentColor``), so that they read in light and dark.
"""

from collections.abc import Sequence
from html import escape

from gamecore import check

_FAR = 1e6  # no picture is larger


def drawing(width: float, height: float, content: str, title: str, scale: float = 1.0) -> str:
    """Return a picture, which shrinks with its page; the title tells what it shows.

    Examples
    --------
    >>> drawing(20, 10, "", "nothing <yet>").endswith("<title>nothing &lt;yet&gt;</title></svg>")
    True
    """
    for name, length in (("width", width), ("height", height), ("scale", scale)):
        check.real(length, name, 0, _FAR)
    check.text(content, "content")
    check.text(title, "title")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width * scale:.0f}" height="{height * scale:.0f}" role="img" '
        f'style="max-width:100%;height:auto" font-family="sans-serif">'
        f"<title>{escape(title)}</title>{content}</svg>"
    )


def text(
    x: float, y: float, words: str, anchor: str = "start", size: int = 13, *,
    colour: str = "currentColor", opacity: float = 1.0, bold: bool = False,
) -> str:  # fmt: skip
    """Return words at a place: their baseline, and by `anchor` their start, middle or end.

    Examples
    --------
    >>> text(5, 9, "a < b")
    '<text x="5" y="9" font-size="13" text-anchor="start" fill="currentColor">a &lt; b</text>'
    """
    for name, value in (("x", x), ("y", y)):
        check.real(value, name, -_FAR, _FAR)
    for name, said in (("words", words), ("colour", colour)):
        check.text(said, name)
    check.one_of(anchor, "anchor", ("start", "middle", "end"))
    check.real(size, "size", 0, 1000)
    check.real(opacity, "opacity", 0, 1)
    heavy = check.flag(bold, "bold")
    look = f' fill-opacity="{opacity:g}"' * bool(opacity < 1) + ' font-weight="bold"' * heavy
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" '
        f'fill="{colour}"{look}>{escape(words)}</text>'
    )


def rows(
    pictures: Sequence[str], columns: int, size: tuple[float, float], title: str, scale: float = 1.0
) -> str:
    """Return pictures as one, `columns` in a row, each in a field of `size`.

    Examples
    --------
    >>> rows([drawing(4, 4, "", "a"), drawing(4, 4, "", "b")], 2, (5, 5), "both").count("<g")
    2
    """
    check.whole(columns, "columns", 1, 1000)
    wide, high = (check.real(side, "size", 0, _FAR) for side in check.listed(size, "size", 2))
    parts, pictures = [], check.listed(pictures, "pictures")
    for place, picture in enumerate(pictures):
        if "</title>" not in check.text(picture, "a picture"):
            raise ValueError("pictures must be made by drawing")
        x, y = place % columns * wide, place // columns * high
        inner = picture[picture.index("</title>") + len("</title>") : -len("</svg>")]
        parts.append(f'<g transform="translate({x:g},{y:g})">{inner}</g>')
    down = -(-len(pictures) // columns)
    width = wide * min(columns, len(pictures))
    return drawing(width, high * down, "".join(parts), title, scale)
