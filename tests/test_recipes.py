"""The page of recipes: ten of them, short, and each runs by itself."""

import re
from pathlib import Path

import pytest

from gamecore.papers import experiment

PAGE = (Path(__file__).parents[1] / "book" / "recipes.md").read_text(encoding="utf-8")
RECIPES = dict(
    re.findall(
        r"^## (.*?)\n.*?^```\{code-cell\}[^\n]*\n(?:---\n.*?^---\n)?(.*?)^```", PAGE, re.M | re.S
    )
)
by_recipe = pytest.mark.parametrize("name", RECIPES)
#: What each of them is seen to say.
SAYS = {
    "matrix": "value 0.0139", "position": "win in", "replayed": "Match: ",
    "Triomineering": "Match: ",
    "exploitable": "match the prize loses 1.000", "Daifugo": "Series: 200 games",
    "Pokémon": "we win with 0.", "OpenSpiel": "our exact value -0.5000", "experiment": "5 cards",
    "Dask": "15 chunks; 15 of them stored",
}  # fmt: skip


def test_there_are_ten():
    assert len(RECIPES) == PAGE.count("\n## ") == 10


@by_recipe
def test_recipes_are_short(name):
    lines = [line for line in RECIPES[name].splitlines() if line.strip()]
    assert len(lines) < 15, f"{len(lines)} lines"


@by_recipe
def test_recipes_run(name, capsys, tmp_path, monkeypatch):
    for package in ("pyspiel", "distributed"):
        if package in RECIPES[name]:
            pytest.importorskip(package)
    monkeypatch.setenv("GAMECORE_RUNS", str(tmp_path))
    monkeypatch.setattr(experiment, "REGISTRY", dict(experiment.REGISTRY))
    exec(compile(RECIPES[name], name, "exec"), {"__name__": "recipe"})
    [said] = [words for part, words in SAYS.items() if part in name]
    assert said in capsys.readouterr().out
