"""Words of the book: a term says where the papers use it, what the bibliography lists is cited."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
BOOK = {
    file: file.read_text(encoding="utf-8")
    for folder in ("notebooks", "book")
    for file in sorted((ROOT / folder).glob("*.md"))
}
GLOSSARY = BOOK[ROOT / "book" / "glossary.md"]
PAPERS = "Pokémon|Geister|Triomineering|Goofspiel|Daifugo"
PLACE = rf"(?:{PAPERS})(?:,? §\d(?:\.\d)*)+"


def test_every_term_names_papers_and_sections_that_use_it():
    """The papers are not in the repository, so this is the form of a place, not its truth."""
    entries = re.findall(r"^(?![ #:\n])(\S+)\n((?:  .+\n)+)", GLOSSARY, re.MULTILINE)
    heads = [head for head, _ in entries]
    assert len(heads) > 50
    assert len(set(heads)) == len(heads)
    for head, text in entries:
        assert re.search(rf"\[{PLACE}(?:; {PLACE})*\]\n$", text), head


def test_bibliography_is_what_the_book_cites():
    known = re.findall(
        r"^@\w+\{(\w+),$", (ROOT / "book" / "references.bib").read_text("utf-8"), re.MULTILINE
    )
    cited = {
        key.strip()
        for text in BOOK.values()
        for keys in re.findall(r"\{cite(?::\w+)?\}`([^`]+)`", text)
        for key in keys.split(",")
    }
    assert sorted(known) == sorted(cited)
