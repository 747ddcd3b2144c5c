"""Each .md notebook and its committed, executed .ipynb twin belong together; both run."""

import json
import platform
import re
import shutil
from pathlib import Path

import jupytext
import nbformat
import pytest
import yaml
from nbclient import NotebookClient

from book.build import twin_digest
from gamecore.papers import palette, published, scoreboard, show, stats
from gamecore.papers.markup import anchor

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "notebooks").glob("*.md"))
SECTIONS = [
    "The game",
    "The method",
    "Published beside ours",
    "What the paper leaves open",
    "Beyond the paper",
    "Do it yourself",
    "Summary",
    "日本語のまとめ",
    "Run this again",
]
by_name = pytest.mark.parametrize("source", SOURCES, ids=lambda file: file.stem)


def twin(source):
    return nbformat.read(source.with_suffix(".ipynb"), as_version=4)


def outputs(source):
    """Return all HTML that a chapter shows."""
    shown = [o.data.get("text/html", "") for c in twin(source).cells for o in c.get("outputs", [])
             if "data" in o]  # fmt: skip
    return "\n".join("".join(text) for text in shown)


@by_name
def test_twin_has_the_same_cells(source):
    pairs = zip(jupytext.read(source).cells, twin(source).cells, strict=True)
    for written, executed in pairs:
        assert (written.cell_type, written.source) == (executed.cell_type, executed.source)


@by_name
def test_twin_is_executed_current_and_clean(source):
    notebook = twin(source)
    nbformat.validate(notebook)
    assert notebook.metadata["gamecore"]["source"] == twin_digest(source), "run: make notebooks"
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    outputs = [output for cell in code for output in cell.outputs]
    assert outputs
    assert not [o for o in outputs if o.output_type == "error" or o.get("name") == "stderr"]
    text = source.with_suffix(".ipynb").read_text(encoding="utf-8")
    assert not re.search(r"/(home|root|work|tmp|Users)/", text)
    assert " at 0x" not in text  # an address in memory, another one in every run
    assert len(text.encode()) < 2_000_000
    figures = [o for o in outputs if "image/png" in o.get("data", {})]
    assert figures
    assert not [o for o in outputs if "image/svg+xml" in o.get("data", {})]


@by_name
def test_chapter_keeps_the_order_and_the_scale_cell(source):
    text = source.read_text(encoding="utf-8")
    first = next(cell for cell in jupytext.read(source).cells if cell.cell_type == "code")
    assert first.source.startswith('scale = "stored"')
    assert "hide-input" in first.metadata["tags"]  # a newcomer meets a question, not imports
    assert text.index("> **要旨**") < text.index("\n## ")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == SECTIONS
    assert f"{{download}}`{source.stem}.ipynb" in text


@by_name
def test_every_figure_has_a_caption_and_words_for_those_who_cannot_see_it(source):
    """And is the only rich output of its cell, because each of them would get the caption."""
    for written, executed in zip(jupytext.read(source).cells, twin(source).cells, strict=True):
        rich = [o for o in executed.get("outputs", []) if "data" in o]
        if any("image/png" in output.data for output in rich):
            assert len(rich) == 1, written.source
            options = written.metadata["mystnb"]
            assert options["figure"]["caption"].strip().endswith(".")
            assert options["figure"]["name"].startswith(source.stem)  # its address
            assert len(options["image"]["alt"]) > 40


@by_name
def test_figures_are_as_wide_as_the_text(source):
    text = source.read_text(encoding="utf-8")
    assert set(re.findall(r"figsize=\(([\d.]+),", text)) <= {"7"}


def places(text):
    """Return the names that links into a chapter can use: labels, and what its tables bring."""
    labels = re.findall(r"^\((\S+)\)=$", text, re.MULTILINE)
    tables = re.findall(r"show\.beside\(\w+, \"([^\"]+)\"\)", text)
    return labels, tables


@pytest.fixture(scope="module")
def board():
    return scoreboard.board()


@by_name
def test_links_of_the_scoreboard_land_in_the_chapter(source, board):
    name = source.stem
    rows = board[board.paper == name]
    labels, tables = places(source.read_text(encoding="utf-8"))
    known = labels + [anchor(name, locator) for locator in tables]
    assert len(known) == len(set(known)), "an id is given twice"
    known += re.findall(r'<article class="claim" id="([^"]+)"', outputs(source))
    links = re.findall(rf"notebooks/{name}\.html#([^\"]+)", show.full(rows))
    assert len(links) >= len(rows)
    assert set(links) <= set(known)


@by_name
def test_every_claim_has_one_card_with_the_papers_own_words(source, board):
    shown = re.findall(r'<article class="claim" id="([^"]+)"', outputs(source))
    rows = board[(board.paper == source.stem) & (board.kind == "claim")]
    assert sorted(shown) == sorted(anchor(name) for name in rows.id)
    if source.stem != "rps":  # its report is ours
        assert set(rows.id[rows.words == ""]) == set()
        silent = rows.verdict.isin([*stats.MISS, "undecided"]) & (rows.would_change == "")
        assert set(rows.id[silent]) == set()


@by_name
def test_exercises_have_solutions_that_run(source):
    text = source.read_text(encoding="utf-8")
    exercises = text[text.index("\n### Exercises\n") : text.index("\n## Summary\n")]
    folded = [cell for cell in jupytext.read(source).cells
              if cell.metadata.get("mystnb", {}).get("code_prompt_show") == "Solution"]  # fmt: skip
    assert 2 <= len(folded) <= 4
    for cell in folded:
        assert cell.source in exercises
        assert "hide-cell" in cell.metadata["tags"]
        assert "assert " in cell.source


@by_name
def test_colours_come_by_name_and_tables_in_the_books_style(source):
    text = source.read_text(encoding="utf-8")
    code = "\n".join(
        cell.source for cell in jupytext.read(source).cells if cell.cell_type == "code"
    )
    assert "HUES" not in code
    assert not re.findall(r"#[0-9A-Fa-f]{6}\b|[\"'](?:tab:\w+|C\d|black)[\"']", code)
    for name in re.findall(r'colour\("([^"]+)"\)', text):
        assert palette.colour(name)
    assert 'class="dataframe' not in outputs(source)


PAGES = [*(ROOT / "book").glob("*.md"), *(ROOT / "book" / "covers").glob("[a-z]*.py")]


@pytest.mark.parametrize("file", sorted(PAGES), ids=lambda file: file.name)
def test_pages_and_cards_take_colours_by_name_too(file):
    text = file.read_text(encoding="utf-8")
    assert "HUES" not in text
    assert not re.findall(r'color="(?!none)[^"{]*"|"#[0-9A-Fa-f]{6}"', text)
    for name in re.findall(r'colour\("([^"]+)"\)', text):
        assert palette.colour(name)


def test_one_hue_for_one_name_from_the_colour_blind_palette():
    assert set(palette.NAMES.values()) <= set(palette.HUES)
    assert len(set(palette.HUES.values())) == len(palette.HUES)


@by_name
def test_published_numbers_stand_beside_ours(source, board):
    """Each number of the paper is in a table of the chapter, not only in a figure."""
    numbers = board[(board.paper == source.stem) & ~board.kind.isin(["claim", "redrawn"])]
    assert set(numbers.locator) <= set(places(source.read_text(encoding="utf-8"))[1])


def test_labels_are_unique_in_the_book():
    labels = [label for file in SOURCES for label in places(file.read_text(encoding="utf-8"))[0]]
    assert len(labels) == len(set(labels))


@by_name
def test_japanese_terms_are_in_the_glossary(source):
    text = source.read_text(encoding="utf-8")
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    prose = re.sub(r"^> .*$", "", prose, flags=re.MULTILINE)  # the abstract in Japanese
    prose = re.sub(r"^## 日本語のまとめ$.*?(?=^## )", "", prose, flags=re.MULTILINE | re.DOTALL)
    glossary = (ROOT / "book" / "glossary.md").read_text(encoding="utf-8")
    terms = set(re.findall(r"[\u3041-\u30fe\u4e00-\u9fff]+", prose))
    assert {term for term in terms if term not in glossary} == set()


@by_name
def test_saving_in_jupyterlab_leaves_no_diff(source, tmp_path):
    """What JupyterLab reads, runs and saves is the file as it was."""
    for name in (source.name, "jupytext.toml"):
        shutil.copy(source.parent / name, tmp_path)
    contents = jupytext.TextFileContentsManager(root_dir=str(tmp_path))
    model = contents.get(source.name, type="notebook", content=True)
    for number, cell in enumerate(model["content"]["cells"]):
        cell["metadata"]["trusted"] = True
        if cell["cell_type"] == "code":
            cell["execution_count"] = number
            cell["outputs"] = [nbformat.v4.new_output("stream", text="ran")]
    spec = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    language = {"name": "python", "version": platform.python_version(), "file_extension": ".py",
                "mimetype": "text/x-python", "codemirror_mode": {"name": "ipython", "version": 3},
                "nbconvert_exporter": "python", "pygments_lexer": "ipython3"}  # fmt: skip
    model["content"]["metadata"] |= {"kernelspec": spec, "language_info": language}
    contents.save(model, source.name)
    assert (tmp_path / source.name).read_bytes() == source.read_bytes()
    assert {file.name for file in tmp_path.iterdir()} == {source.name, "jupytext.toml"}


def test_outputs_hold_no_timings():
    """A second `make notebooks` must leave the tree as it is."""
    for source in SOURCES:
        assert "import time" not in source.read_text(encoding="utf-8"), source


@by_name
def test_notebook_is_not_paired(source):
    """Paired, jupytext refuses to open the .md whenever a checkout made the .ipynb look newer."""
    assert "formats" not in jupytext.read(source).metadata["jupytext"]
    assert "jupytext" not in twin(source).metadata


@by_name
def test_no_published_number_is_typed(source):
    """Cells and prose take the papers' numbers from data/published (of three digits or more)."""
    rows = [row for row in published.load(source.stem) if row.value is not None]
    shown = {row.value: f"{abs(row.value):.{row.digits}f}".replace(".", "") for row in rows}
    telling = {value for value, digits in shown.items() if len(digits.strip("0")) >= 3}
    for cell in jupytext.read(source).cells:
        text = cell.source
        if cell.cell_type == "code":
            text = re.sub(r"\"[^\"]*\"|'[^']*'|#.*", "", text)
        found = re.findall(r"(?<![\w.])\d[\d_,]*(?:\.\d+)?", text)
        assert not {float(re.sub("[_,]", "", x)) for x in found} & telling


def test_every_notebook_is_in_the_book():
    text = (ROOT / "_toc.yml").read_text()
    yaml.safe_load(text)
    for source in SOURCES:
        assert f"notebooks/{source.stem}" in text


@pytest.mark.notebook
@by_name
def test_runs_at_quick_scale(source, tmp_path):
    """Every table and figure recomputed live, as a reader would with scale = "quick"."""
    notebook = jupytext.read(source)
    cell = next(c for c in notebook.cells if c.cell_type == "code")
    assert 'scale = "stored"' in cell.source
    cell.source = cell.source.replace('scale = "stored"', 'scale = "quick"')
    NotebookClient(notebook, timeout=900, kernel_name="python3").execute(cwd=str(tmp_path))
    json.dumps(notebook)
