"""Build the site into _build/html: what ``make book`` and ``make notebooks`` call."""

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import jupytext

from book.execution import Page, execute, executed, has_code
from gamecore.kernel import PACKAGE, source_key

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "_build"
STORE = BUILD / ".jupyter_cache"


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
        *(f"gamecore.papers.{room}" for room in ("figures", "page", "questions", "show")),
        f"gamecore.{game}", f"gamecore.{game}.draw",
        *(f"gamecore.papers.{game}.{room}" for room in sorted(rooms)),
    )  # fmt: skip
    data = digest(f"notebooks/{game}.md", f"data/*/{game}.csv", f"data/results/{game}/*.csv")
    return f"{code}-{data[:16]}"


def chapters() -> list[Path]:
    """Return the notebooks that are in the book."""
    toc = (ROOT / "_toc.yml").read_text()
    return [
        file
        for file in sorted((ROOT / "notebooks").glob("*.md"))
        if f"notebooks/{file.stem}\n" in toc
    ]


def from_covers(name: str, *arguments: Path) -> str:
    """Return what the folder beside this script makes: the front page's cards, README, previews."""
    return getattr(import_module("book.covers"), name)(*arguments)


def changed(stamp: Path, content: str) -> bool:
    """Say whether a stamp file records anything else than `content`."""
    return not stamp.exists() or stamp.read_text() != content


def pages() -> list[Page]:
    """Return the pages with code, keyed: chapters by what they use, the others by everything."""
    listed = re.findall(r"(?:file|root): (\S+)", (ROOT / "_toc.yml").read_text())
    files = [file for name in listed if has_code(file := ROOT / f"{name}.md")]
    code = digest("gamecore/**/*.py", "book/**/*.py", "data/**/*.csv", "requirements.lock")
    lock = digest("requirements.lock")[:16]
    own = {file: f"{twin_digest(file)}-{lock}" for file in chapters()}
    return [Page(file, own.get(file, code)) for file in files]


def build() -> bool:
    """Build what has changed; return whether anything was built."""
    inputs = ("gamecore/**/*.py", "data/**/*.csv", "requirements.lock", "_*.yml", "book/**/*")
    everything = digest(*inputs, "notebooks/*.md", "notebooks/*.ipynb")
    if not changed(BUILD / ".built", everything):
        return False
    BUILD.mkdir(exist_ok=True)
    (BUILD / "cards.md").write_text(from_covers("cards"), encoding="utf-8")
    execute(pages(), STORE)
    command = [Path(sys.executable).with_name("jupyter-book"), "build", ROOT]
    strict = ["--all", "-W", "-n", "--keep-going"]
    if subprocess.run([*command, *strict], cwd=ROOT).returncode:
        sys.exit("the book did not build: the warnings and errors above say why")
    modules, site = ROOT / "book" / "_static" / "live", BUILD / "html" / "_static" / "live"
    if modules.exists():  # Sphinx has copied them; the rows that they are compared with are data
        import_module("book.live").write_rows(modules, site / "results")
    from_covers("previews", BUILD / "html" / "_static" / "previews")
    (BUILD / ".built").write_text(everything)
    return True


def refresh_twins() -> None:
    """Put the executed .ipynb, which the book's build shows too, beside each .md notebook."""
    found = [page for page in pages() if page.file in chapters()]
    execute(found, STORE)
    for page in found:
        notebook, cells = executed(page, STORE), jupytext.read(page.file).cells
        if len(cells) != len(notebook.cells):
            sys.exit(f"{page.file.name}: {len(notebook.cells)} executed cells, not {len(cells)}")
        for i, (cell, original) in enumerate(zip(notebook.cells, cells, strict=True)):
            cell.id = f"cell-{i}"
            cell.source, cell.metadata = original.source, original.metadata
            if cell.cell_type == "code":
                cell.outputs = [_tidied(output) for output in cell.outputs if not _is_log(output)]
        notebook.metadata = {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            "gamecore": {"source": twin_digest(page.file)},
        }
        notebook.nbformat_minor = 5
        text = json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
        target = page.file.with_suffix(".ipynb")
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
    os.environ["TQDM_DISABLE"] = "1"  # a slow machine would leave its progress bars on the pages
    if options.notebooks:  # before the build: the site offers the twins for download
        refresh_twins()
        (ROOT / "README.md").write_text(from_covers("readme"), encoding="utf-8")
    built = build()
    print(f"the book is {'built' if built else 'up to date'}: open {BUILD / 'html' / 'index.html'}")


if __name__ == "__main__":
    main()
