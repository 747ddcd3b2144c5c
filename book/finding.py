"""A Sphinx extension: what helps people find a page and pass it on.

Words of tables and claims, which cells show as HTML, come into the search; each page gets the
description and the picture that a link to it is shown with elsewhere.
"""

import html
import os
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

#: A description is cut after so many letters, as those who show it do.
LENGTH = 200


def index_html(app: Sphinx, doctree: nodes.document) -> None:
    """Let the search see HTML: it reads a node's source, which cells' outputs come without."""
    for node in doctree.findall(nodes.raw):
        if "html" in node.get("format", "").split() and not node.rawsource:
            node.rawsource = node.astext()


def first_words(doctree: nodes.document | None) -> str:
    """Return a page's first paragraph, cut between words."""
    paragraphs = doctree.findall(nodes.paragraph) if doctree is not None else ()
    text = next((p.astext() for p in paragraphs if len(p.astext()) > 60), "")
    text = re.sub(r"\s+", " ", text).strip()
    return text if len(text) <= LENGTH else text[:LENGTH].rsplit(" ", 1)[0] + " …"


def describe(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Add what previews of a link show; absolute addresses if ``SITE`` says where the book is."""
    words, base = first_words(doctree), os.environ.get("SITE", "").rstrip("/")
    # chapters have a picture that the build draws from their cards (covers.previews)
    card = Path(app.confdir) / "book" / "covers" / f"{Path(page).name}.py"
    has_own = page.startswith("notebooks/") and "def draw(" in card.read_text(encoding="utf-8")
    picture = f"_static/previews/{card.stem}.png" if has_own else "_static/frontpage.png"
    tags = {
        "og:title": context.get("title", ""), "og:type": "article", "og:description": words,
        "og:image": f"{base}/{picture}" if base else context["pathto"](picture, 1),
        "og:url": f"{base}/{page}.html" if base else "",
    }  # fmt: skip
    lines = [f'<meta name="description" content="{html.escape(words)}">'] if words else []
    lines += [
        f'<meta property="{name}" content="{html.escape(re.sub("<[^>]+>", "", text))}">'
        for name, text in tags.items()
        if text
    ]
    lines.append('<meta name="twitter:card" content="summary_large_image">')
    context["metatags"] = context.get("metatags", "") + "\n".join(lines)


def setup(app: Sphinx) -> dict[str, bool]:
    """Join the build."""
    app.connect("doctree-read", index_html)
    app.connect("html-page-context", describe)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
