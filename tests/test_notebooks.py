"""Each .md notebook and its committed, executed .ipynb twin belong together; both run."""

import json
import re
from pathlib import Path

import jupytext
import nbformat
import pytest
import yaml
from nbclient import NotebookClient

from book.build import twin_digest
from gamecore import published

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "notebooks").glob("*.md"))
by_name = pytest.mark.parametrize("source", SOURCES, ids=lambda file: file.stem)


def twin(source):
    return nbformat.read(source.with_suffix(".ipynb"), as_version=4)


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
    assert len(text.encode()) < 1_500_000
    figures = [o for o in outputs if "image/png" in o.get("data", {})]
    assert figures
    assert not [o for o in outputs if "image/svg+xml" in o.get("data", {})]


@by_name
def test_chapter_keeps_the_order_and_the_scale_cell(source):
    text = source.read_text(encoding="utf-8")
    first = text.index("```{code-cell}")
    assert text[first:].split("\n")[1].startswith('scale = "stored"')
    assert "要旨" in text
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert headings[0].startswith("The game")
    assert headings[1].startswith("The method")
    assert headings[-1].startswith("Run this again")
    assert f"{{download}}`{source.stem}.ipynb" in text


@by_name
def test_notebook_is_not_paired(source):
    """Paired, jupytext refuses to open the .md whenever a checkout made the .ipynb look newer."""
    assert "formats" not in jupytext.read(source).metadata["jupytext"]
    assert "jupytext" not in twin(source).metadata


@by_name
def test_no_published_number_is_typed_into_a_cell(source):
    """Cells take the papers' numbers from data/published (those of three digits or more)."""
    rows = [row for row in published.load(source.stem) if row.value is not None]
    shown = {row.value: f"{abs(row.value):.{row.digits}f}".replace(".", "") for row in rows}
    telling = {value for value, digits in shown.items() if len(digits.strip("0")) >= 3}
    for cell in (c for c in jupytext.read(source).cells if c.cell_type == "code"):
        code = re.sub(r"\"[^\"]*\"|'[^']*'|#.*", "", cell.source)
        typed = {float(x.replace("_", "")) for x in re.findall(r"(?<![\w.])\d[\d_]*\.?\d*", code)}
        assert not typed & telling


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
