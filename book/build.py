"""Build the site into _build/html: what ``make book`` and ``make notebooks`` call."""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import jupytext
import nbformat

from gamecore.kernel import PACKAGE, source_key

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "_build"
NOTEBOOKS = ROOT / "notebooks"


def digest(*patterns: str) -> str:
    """Return a hash of all files that match, by name and content."""
    files = {file for pattern in patterns for file in ROOT.glob(pattern) if file.is_file()}
    total = hashlib.sha256()
    for file in sorted(files):
        if "__pycache__" not in file.parts:
            total.update(f"{file.relative_to(ROOT)}\0".encode() + file.read_bytes() + b"\0")
    return total.hexdigest()


def twin_digest(source: Path) -> str:
    """Return a hash of all that decides what a notebook shows: its source, its data, and the code.

    The code is what experiments, judges and drawings of the game can call, and what shows them.
    """
    game = source.stem
    rooms = [file.stem for file in (PACKAGE / "papers" / game).glob("*.py")]
    code = source_key(
        *(f"gamecore.papers.{room}" for room in ("page", "questions", "show")),
        f"gamecore.{game}", f"gamecore.{game}.draw",
        *(f"gamecore.papers.{game}.{room}" for room in sorted(rooms)),
    )  # fmt: skip
    data = digest(f"notebooks/{game}.md", f"data/*/{game}.csv", f"data/results/{game}/*.csv")
    return f"{code}-{data[:16]}"


def chapters() -> list[Path]:
    """Return the notebooks that are in the book."""
    toc = (ROOT / "_toc.yml").read_text()
    return [file for file in sorted(NOTEBOOKS.glob("*.md")) if f"notebooks/{file.stem}\n" in toc]


def from_covers(name: str) -> str:
    """Return the front page's cards, or README, which the folder beside this script makes."""
    return getattr(import_module("covers"), name)()


def changed(stamp: Path, content: str) -> bool:
    """Say whether a stamp file records anything else than `content`."""
    return not stamp.exists() or stamp.read_text() != content


def build() -> bool:
    """Build what has changed; return whether anything was built."""
    code = digest("gamecore/**/*.py", "book/**/*.py", "data/**/*.csv", "requirements.lock")
    everything = code + digest("_*.yml", "book/**/*", "notebooks/*.md", "notebooks/*.ipynb")
    if not changed(BUILD / ".built", everything):
        return False
    if changed(BUILD / ".executed", code):  # the cache of executed cells sees only the notebooks
        shutil.rmtree(BUILD / ".jupyter_cache", ignore_errors=True)
    BUILD.mkdir(exist_ok=True)
    (BUILD / ".executed").write_text(code)
    (BUILD / "cards.md").write_text(from_covers("cards"), encoding="utf-8")
    command = [Path(sys.executable).with_name("jupyter-book"), "build", ROOT]
    strict = ["--all", "-W", "-n", "--keep-going"]
    os.environ["TQDM_DISABLE"] = "1"  # a slow machine would leave its progress bars on the pages
    if subprocess.run([*command, *strict], cwd=ROOT).returncode:
        sys.exit("the book did not build: the warnings and errors above say why")
    modules, site = ROOT / "book" / "_static" / "live", BUILD / "html" / "_static" / "live"
    if modules.exists():  # Sphinx has copied them; the rows that they are compared with are data
        import_module("live").write_rows(modules, site / "results")
    (BUILD / ".built").write_text(everything)
    return True


def refresh_twins() -> None:
    """Put the executed .ipynb of the book's own build beside each .md notebook."""
    for source in chapters():
        executed = BUILD / "jupyter_execute" / "notebooks" / f"{source.stem}.ipynb"
        notebook = nbformat.read(executed, as_version=4)
        cells = jupytext.read(source).cells
        if not any(cell.get("outputs") for cell in notebook.cells):
            sys.exit(f"{source.name}: the build has left no outputs")
        if len(cells) != len(notebook.cells):
            sys.exit(f"{source.name}: the build has {len(notebook.cells)} cells, not {len(cells)}")
        for i, (cell, original) in enumerate(zip(notebook.cells, cells, strict=True)):
            cell.id = f"cell-{i}"
            cell.source, cell.metadata = original.source, original.metadata
            if cell.cell_type == "code":
                cell.outputs = [_tidied(output) for output in cell.outputs if not _is_log(output)]
        notebook.metadata = {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            "gamecore": {"source": twin_digest(source)},
        }
        notebook.nbformat_minor = 5
        text = json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
        target = source.with_suffix(".ipynb")
        target.write_text(text, encoding="utf-8")
        print(f"{target.relative_to(ROOT)}: {len(text) / 1e6:.2f} MB")


def _is_log(output: dict) -> bool:
    return output.get("name") == "stderr"


def _tidied(output: dict) -> dict:
    """Return an output without what changes from run to run, figures as PNG only."""
    output.get("metadata", {}).clear()
    data = output.get("data", {})
    if "image/png" in data:
        data.pop("image/svg+xml", None)
    return output


def main() -> None:
    """Parse the command line and build."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notebooks", action="store_true", help="refresh notebooks/*.ipynb too")
    options = parser.parse_args()
    if options.notebooks:
        # Execute anew: notebooks that come from the cache are written without their outputs.
        (BUILD / ".built").unlink(missing_ok=True)
        (BUILD / ".executed").unlink(missing_ok=True)
        # The chapters link to their twins, so a first one must exist.
        for twin in (source.with_suffix(".ipynb") for source in chapters()):
            if not twin.exists():
                twin.write_text(nbformat.writes(nbformat.v4.new_notebook()))
    built = build()
    if options.notebooks:
        refresh_twins()
        (ROOT / "README.md").write_text(from_covers("readme"), encoding="utf-8")
        built = build() or built  # the site offers the twins for download
    print(f"the book is {'built' if built else 'up to date'}: open {BUILD / 'html' / 'index.html'}")


if __name__ == "__main__":
    main()
