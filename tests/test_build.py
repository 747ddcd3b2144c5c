"""`make book` builds when something changed, and executes only pages that notice it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from book import build
from book.execution import Page, execute, executed, has_code, joined
from book.publish import with_install

HERE = Path(__file__).parents[1]


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A small checkout; builds are recorded instead of run."""
    for name in ("gamecore/a.py", "data/results/toy.csv", "notebooks/toy.md", "book/intro.md",
                 "_toc.yml", "_config.yml", "requirements.lock"):  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    monkeypatch.setattr(build, "ROOT", tmp_path)
    monkeypatch.setattr(build, "BUILD", tmp_path / "_build")
    monkeypatch.setattr(build, "from_covers", lambda name, *_: name)
    monkeypatch.setattr(build, "execute", lambda pages, store: None)
    runs = []

    class Done:
        returncode = 0

    def run(command, cwd):
        runs.append([str(word) for word in command])
        return Done

    monkeypatch.setattr(build.subprocess, "run", run)
    return tmp_path, runs, Done


def test_second_build_does_nothing(tree):
    _, runs, _ = tree
    assert build.build()
    assert not build.build()
    assert len(runs) == 1
    assert runs[0][-3:] == ["-W", "-n", "--keep-going"]


@pytest.mark.parametrize("name", ["gamecore/a.py", "data/results/toy.csv", "requirements.lock",
                                  "notebooks/toy.md", "book/intro.md", "_toc.yml"])  # fmt: skip
def test_change_builds(tree, name):
    root, _, _ = tree
    build.build()
    (root / name).write_text("changed")
    assert build.build()
    assert not build.build()


PAGE = """---
kernelspec: {{display_name: Python 3, language: python, name: python3}}
---

# A page

{words}

```{{code-cell}} ipython3
print({number})
```
"""


def test_pages_are_executed_when_their_cells_or_their_key_change(tmp_path):
    one, other = (Page(tmp_path / f"{name}.md", "key") for name in ("one", "other"))
    for number, page in enumerate((one, other)):
        page.file.write_text(PAGE.format(words="Some words.", number=number))
        assert has_code(page.file)
    store = tmp_path / "store"
    assert sorted(execute([one, other], store)) == ["one", "other"]
    assert [executed(page, store).cells[-1].outputs[0].text for page in (one, other)] == [
        "0\n",
        "1\n",
    ]
    one.file.write_text(PAGE.format(words="Other words.", number=0))
    assert execute([one, other], store) == []
    one.file.write_text(PAGE.format(words="Other words.", number=2))
    assert execute([one, other], store) == ["one"]
    assert execute([one, other._replace(key="changed")], store) == ["other"]
    one.file.write_text(PAGE.format(words="Other words.", number="1 / 0"))
    with pytest.raises(SystemExit, match=r"one[.]md: [\s\S]*ZeroDivisionError"):
        execute([one], store)


def test_what_is_printed_in_pieces_is_one_output():
    def printed(text, name="stdout"):
        return nbformat.v4.new_output("stream", name=name, text=text)

    shown = nbformat.v4.new_output("display_data", {"text/plain": "a figure"})
    pieces = [printed("a\n"), printed("b\n"), printed("c\n", "stderr"), shown, printed("d\n")]
    whole = [printed("a\nb\n"), printed("c\n", "stderr"), shown, printed("d\n")]
    assert joined(pieces) == whole
    assert joined([shown, shown]) == [shown, shown]


def test_key_of_a_chapter_is_its_own_and_of_a_page_everything(tree):
    root, _, _ = tree
    for name in ("notebooks/toy.md", "book/intro.md"):
        (root / name).write_text(PAGE.format(words="", number=1))
    (root / "_toc.yml").write_text("root: book/intro\nchapters:\n- file: notebooks/toy\n")
    keys = {page.file.stem: page.key for page in build.pages()}
    (root / "data" / "results" / "other").mkdir()
    (root / "data" / "results" / "other" / "t.csv").write_text("1")
    later = {page.file.stem: page.key for page in build.pages()}
    assert later["toy"] == keys["toy"]
    assert later["intro"] != keys["intro"]


def test_a_published_notebook_installs_gamecore_first_where_it_is_missing():
    cells = [nbformat.v4.new_code_cell("import gamecore")]
    notebook = with_install(nbformat.v4.new_notebook(cells=cells), "https://example.org/a.whl")
    assert with_install(notebook, "https://example.org/b.whl").cells[0].source.count("b.whl") == 1
    nbformat.validate(notebook)
    first = notebook.cells[0].source
    assert '%pip install --quiet "gamecore[chapters] @ https://example.org/a.whl"' in first
    NotebookClient(notebook, kernel_name="python3").execute()
    assert notebook.cells[0].outputs == []  # it is here, so nothing is installed


def test_failed_build_is_tried_again(tree):
    _, runs, done = tree
    done.returncode = 1
    for _ in range(2):
        with pytest.raises(SystemExit, match="did not build"):
            build.build()
    assert len(runs) == 2


def test_twin_digest_sees_source_and_data_of_its_game_only(tree):
    root, _, _ = tree
    source = root / "notebooks" / "toy.md"
    before = build.twin_digest(source)
    (root / "data" / "results" / "toy").mkdir()
    assert build.twin_digest(source) == before
    (root / "data" / "results" / "toy" / "t.csv").write_text("1")
    assert build.twin_digest(source) != before


@pytest.mark.parametrize(
    ("file", "shown"),
    [("papers/rps/judges.py", True), ("papers/show.py", True), ("rps/draw.py", True),
     ("rng.py", True), ("pokemon/rules.py", False), ("cli.py", False)],
)  # fmt: skip
def test_twin_digest_sees_the_code_that_decides_what_is_shown(tmp_path, file, shown):
    """A changed threshold of a claim asks for `make notebooks`."""
    copy = tmp_path / "copy" / "gamecore"
    shutil.copytree(build.PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    code = "from pathlib import Path; from book import build; print(build.twin_digest(Path('rps')))"

    def digest():
        environment = {**os.environ, "PYTHONPATH": f"{copy.parent}{os.pathsep}{HERE}"}
        done = subprocess.run([sys.executable, "-c", code], env=environment, cwd=tmp_path,
                              capture_output=True, text=True, check=True)  # fmt: skip
        return done.stdout

    before = digest()
    (copy / file).write_text((copy / file).read_text(encoding="utf-8") + "\nMORE = 1\n")
    assert (digest() != before) == shown
