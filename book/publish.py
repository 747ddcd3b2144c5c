"""Make the built site ready for its address: what ``make publish SITE=…`` calls.

Pages already know the address (`finding` reads ``SITE``); here the wheel comes beside them, and the
notebooks that readers download learn to install it.
"""

import os
import shutil
import subprocess
import sys

import nbformat

from book.build import BUILD, ROOT, build

INSTALL = """\
# Where gamecore is missing, as in Colab, this installs the one that made this notebook.
import importlib.util

if importlib.util.find_spec("gamecore") is None:
    %pip install --quiet "gamecore[chapters] @ {address}"
"""


def with_install(notebook: nbformat.NotebookNode, address: str) -> nbformat.NotebookNode:
    """Return a notebook whose first cell installs a wheel unless gamecore is there."""
    cell = nbformat.v4.new_code_cell(INSTALL.format(address=address), id="install")
    rest = [each for each in notebook.cells if each.id != cell.id]
    return nbformat.from_dict({**notebook, "cells": [cell, *rest]})


def publish(site: str) -> None:
    """Build the site for an address, with the wheel and with notebooks that install it."""
    (BUILD / ".built").unlink(missing_ok=True)  # the address is in every page
    build()
    html, wheels = BUILD / "html", BUILD / "html" / "_static" / "wheels"
    shutil.rmtree(wheels, ignore_errors=True)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", wheels, ROOT], check=True)
    shutil.rmtree(ROOT / "build", ignore_errors=True)
    [wheel] = wheels.glob("*.whl")
    address = f"{site}/_static/wheels/{wheel.name}"
    for file in (html / "_downloads").rglob("*.ipynb"):
        notebook = with_install(nbformat.read(file, as_version=4), address)
        nbformat.write(notebook, file)
        print(f"{file.name} installs {address}")
    (html / ".nojekyll").touch()
    (BUILD / ".built").unlink()  # the next `make book` is for no address
    print(f"ready for {site}: copy {html}")


if __name__ == "__main__":
    chosen = os.environ.get("SITE", "").rstrip("/")
    if not chosen.startswith(("http://", "https://")):
        sys.exit("say where the book will be: make publish SITE=https://example.org/book")
    publish(chosen)
