"""The page: how long a browser takes for a chunk of each cell, and for its first games.

``python -m benchmarks.live`` lets Chromium play some games of every cell with the book's modules,
and writes data/live.csv, by which panels say what to expect. A cell's first games are its
fingerprint; a chunk is reckoned from as many as take about half a second.
"""

import argparse
import functools
import http.server
import json
import shutil
import threading
from pathlib import Path

import pandas as pd
from playwright.sync_api import Page, sync_playwright

from gamecore.kernel import PACKAGE
from gamecore.papers.published import data_folder

FOLDER = PACKAGE.parent / "book" / "_static" / "live"
ENOUGH = 0.5  # seconds
#: What a worker answers: seconds for each step.
ASK = """([told, plan, games]) => new Promise((resolve, reject) => {
  const worker = new Worker("/worker.js");
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


def main() -> None:
    """Measure all games, or some."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="their names; default: all")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the modules are")
    options = parser.parse_args()
    file = data_folder() / "live.csv"
    kept = pd.read_csv(file).to_dict("records") if file.exists() else []
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
