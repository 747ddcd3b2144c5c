"""Execute the pages with code side by side, and keep what they show.

The store is the jupyter-cache in which the book's build looks for executed pages. It matches pages
by their cells and sees neither code nor data; so each record also holds a key of those, and a page
whose key has changed is executed anew.
"""

import os
import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

import nbformat
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from jupyter_cache.executors.utils import single_nb_execution
from myst_nb.core.read import read_myst_markdown_notebook
from tqdm import tqdm

#: As in _config.yml: a cell that takes longer than this is taken for one that hangs.
TIMEOUT = 900


class Page(NamedTuple):
    """A page with code, and a key of all that decides what it shows."""

    file: Path
    key: str

    def read(self) -> nbformat.NotebookNode:
        """Return its cells as the build will read them."""
        return read_myst_markdown_notebook(self.file.read_text(encoding="utf-8"), path=self.file)


def has_code(file: Path) -> bool:
    """Say whether a page has cells to execute."""
    return "\n```{code-cell}" in file.read_text(encoding="utf-8")


def execute(pages: Iterable[Page], store: Path) -> list[str]:
    """Execute what is not in the store under its present key; return the names of those pages."""
    cache, missing, failed = get_cache(str(store)), [], []
    for page in pages:
        try:
            record = cache.match_cache_notebook(page.read())
        except KeyError:
            missing.append(page)
            continue
        if record.data.get("key") != page.key:
            cache.remove_cache(record.pk)
            missing.append(page)
    # the longest first, so that the others run beside it
    missing.sort(key=lambda page: -page.file.stat().st_size)
    with ProcessPoolExecutor(min(os.cpu_count() or 1, max(len(missing), 1))) as pool:
        running = {pool.submit(_executed, page): page for page in missing}
        bar = tqdm(as_completed(running), "pages", len(running), disable=not running)
        for done in bar:
            page = running[done]
            notebook, seconds, error = done.result()
            if error:  # the others are executed and kept all the same
                failed.append(f"{page.file.name}: {error}")
                continue
            data = {"key": page.key, "execution_seconds": seconds}
            bundle = CacheBundleIn(notebook, str(page.file), data=data)
            cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
            bar.set_postfix_str(f"{page.file.stem} in {seconds:.0f} s")
    if failed:
        sys.exit("\n\n".join(failed))
    return [page.file.stem for page in missing]


def _executed(page: Page) -> tuple[nbformat.NotebookNode, float, str]:
    """Return a page with its outputs, the seconds it took, and what went wrong, if anything."""
    notebook = page.read()
    folder = str(page.file.parent)
    found = single_nb_execution(notebook, cwd=folder, timeout=TIMEOUT, allow_errors=False)
    for cell in notebook.cells:
        if "outputs" in cell:
            cell.outputs = joined([output for output in cell.outputs if not _is_bar(output)])
    return notebook, found.time or 0.0, found.exc_string if found.err else ""


def _is_bar(output: nbformat.NotebookNode) -> bool:
    """Say whether an output is a progress bar, which only a slow machine shows."""
    return output.get("name") == "stderr" and output.text.startswith("\r")


def joined(outputs: list[nbformat.NotebookNode]) -> list[nbformat.NotebookNode]:
    """Return outputs with what was printed in one piece: a busy machine sends it in several."""
    found: list[nbformat.NotebookNode] = []
    for output in outputs:
        if found and "text" in output and output.get("name") == found[-1].get("name"):
            found[-1].text += output.text
        else:
            found.append(output)
    return found


def executed(page: Page, store: Path) -> nbformat.NotebookNode:
    """Return a page that is in the store, with its outputs."""
    return get_cache(str(store)).merge_match_into_notebook(page.read())[1]
