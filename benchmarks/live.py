"""The page: how long a browser takes for a chunk of each cell, and for each kernel beside Python.

``python -m benchmarks.live`` lets Chromium play some games of every cell with the book's modules,
and writes data/live.csv, by which panels say what to expect. A cell's first games are its
fingerprint; a chunk is reckoned from as many as take about half a second.

Then each entry kernel runs on the same games in Chromium and as Python calls it, on one thread, by
turns: data/live-kernels.csv has the best times of both. ``--kernels`` measures only those.
"""

import argparse
import functools
import http.server
import json
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
from playwright.sync_api import Page, sync_playwright

from gamecore.kernel import PACKAGE
from gamecore.live.build import plans_of
from gamecore.live.plan import Plan, arguments, memory
from gamecore.live.seeds import seed
from gamecore.papers.published import data_folder

FOLDER = PACKAGE.parent / "book" / "_static" / "live"
ENOUGH = 0.5  # seconds
TURNS = 3
#: What a worker answers: seconds for each step.
ASK = """([told, plan, games]) => new Promise((resolve, reject) => {
  const worker = new Worker("/worker.js", {type: "module"});
  worker.onmessage = ({data}) => {
    if (!data.error && !data.row) return;
    worker.terminate();
    if (data.error) reject(data.error); else resolve(data.took);
  };
  const words = [told.root, ...plan.words, 0], wasm = `/${plan.module}.wasm`;
  worker.postMessage({wasm, entries: told.module.entries, plan, words, games});
})"""


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serve the modules and one empty page."""

    def do_GET(self) -> None:
        """Answer."""
        if self.path != "/":
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        return None

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def seconds(page: Page, told: dict, plan: dict, most: int, few: int) -> tuple[float, float]:
    """Return how long a chunk takes, and its first games."""

    def timed(games: int) -> tuple[float, float]:
        """Return the time of the steps that are one for each game, and of all others."""
        took = page.evaluate(ASK, [told, plan, games])
        steps = [*plan["prepare"], *plan["steps"]]
        own = sum(time for time, step in zip(took, steps, strict=True) if step[1] == 0)
        return own, sum(took) - own

    own, rest = timed(few)
    first, games = own + rest, few
    if few < most and own < ENOUGH:
        games = min(most, few * int(1 + ENOUGH / max(own, 0.01)))
        own, rest = timed(games)
    return own * most / games + rest, first


def natively(plan: Plan, words: list[int], games: int) -> list[float]:
    """Return the seconds of each step as Python takes it."""
    known, took = memory(plan, games), []
    known["words"][:] = words
    seed(known["words"], known["s"])
    for step in (*plan.prepare, *plan.steps):
        size, began = step.size or games, time.perf_counter()
        for start in range(0, size, step.stretch):
            known["start"], known["stop"] = start, min(start + step.stretch, size)
            step.kernel(*(known[name] for name in arguments(step.kernel)))
        took.append(time.perf_counter() - began)
    return took


def by_kernel(page: Page, game: str, told: dict, known: list[dict]) -> Iterator[dict]:
    """Measure each entry kernel of a game in the experiment that keeps it busy longest."""
    long = {row["experiment"]: row["seconds"] for row in known if row["cell"] == 0}
    met: set[str] = set()
    made = plans_of(game)
    for name in sorted(told["experiments"], key=lambda name: -long.get(name, 0.0)):
        one = told["experiments"][name]
        plan = one["shared"] | one["cells"][0] | {"module": game}
        steps = [*plan["prepare"], *plan["steps"]]
        if met.issuperset(step[0] for step in steps):
            continue
        words, games = [told["root"], *plan["words"], 0], one["fingerprint"]
        natively(made[name][0][1], words, games)  # compiled
        own = sum(natively(made[name][0][1], words, games)[len(plan["prepare"]) :])
        games = min(one["games"], games * int(1 + ENOUGH / max(own, 0.001)))
        pages, natives = [], []
        for _ in range(TURNS):
            pages.append(page.evaluate(ASK, [told, plan, games]))
            natives.append(natively(made[name][0][1], words, games))
        for j, step in enumerate(steps):
            if step[0] not in met:
                met.add(step[0])
                yield {
                    "game": game, "kernel": step[0], "experiment": name, "games": games,
                    "page": round(min(took[j] for took in pages), 4),
                    "native": round(min(took[j] for took in natives), 4),
                }  # fmt: skip


def main() -> None:
    """Measure all games, or some."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="their names; default: all")
    parser.add_argument("--kernels", action="store_true", help="only kernels beside Python")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the modules are")
    options = parser.parse_args()
    file, beside = data_folder() / "live.csv", data_folder() / "live-kernels.csv"
    kept = pd.read_csv(file).to_dict("records") if file.exists() else []
    both = pd.read_csv(beside).to_dict("records") if beside.exists() else []
    handler = functools.partial(Handler, directory=str(options.folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/")
        for game in options.games or sorted(f.stem for f in options.folder.glob("*.json")):
            game_told = json.loads((options.folder / f"{game}.json").read_bytes())
            both = [row for row in both if row["game"] != game]
            both += by_kernel(page, game, game_told, kept)
            pd.DataFrame(both).sort_values(["game", "kernel"]).to_csv(beside, index=False)
            if options.kernels:
                continue
            kept = [row for row in kept if row["experiment"].split("/")[0] != game]
            told = {"root": game_told["root"], "module": game_told["module"]}
            for name, one in game_told["experiments"].items():
                for k, cell in enumerate(one["cells"]):
                    plan = one["shared"] | cell | {"module": one["module"]}
                    long, short = seconds(page, told, plan, one["games"], one["fingerprint"])
                    kept.append({"experiment": name, "cell": k, "seconds": round(long, 3),
                                 "seconds_first": round(short, 3)})  # fmt: skip
                print(name, len(one["cells"]), f"cells, the last {long:.1f} s a chunk", flush=True)
            pd.DataFrame(kept).sort_values(["experiment", "cell"]).to_csv(file, index=False)
        browser.close()
    server.shutdown()


if __name__ == "__main__":
    main()
