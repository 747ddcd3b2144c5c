"""Pictures of the games in the page: ``python book/pictures.py`` takes them from the built site.

Five pictures for the front page, in ``book/_static/play``, and a strip of them for README. They are
committed: a build needs no browser.
"""

import functools
import http.server
import io
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from playwright.sync_api import Locator, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
SITE, FOLDER = ROOT / "_build" / "html", ROOT / "book" / "_static" / "play"
WIDTH, SHOWN, STRIP = 1000, (708, 500), 360  # of the page; of a picture; the strip's height
#: The game itself is shown, not what it is chosen with.
PLAIN = ".play .stage > :is(.chosen, .buttons, .said, .switches, .training) { display: none }"


def _click(name: str) -> Callable[[Locator], None]:
    return lambda place: place.get_by_role("button", name=name).first.click()


def _battle(place: Locator) -> None:
    for _ in range(2):
        place.locator(".choices button").first.click()
        place.page.wait_for_timeout(1500)
    place.locator("details.best summary").click()


def _weighed(place: Locator) -> None:
    _click("Next decision")(place)
    place.page.wait_for_timeout(1500)
    place.locator(".choices button, .offers button").first.click()


#: Widgets with what the address says and what is clicked.
TAKEN: dict[str, tuple[str, Callable[[Locator], None]]] = {
    "pokemon": ("seed=7&against=habit", _battle),
    "geister": ("seed=32&against=cfr-a&show=cfr-a", lambda place: None),
    "triomineering": ("seed=7&board=8x4", _click("Think")),
    "goofspiel": ("seed=7&sees=CP", lambda place: None),
    "daifugo-replay": ("helps=1", _weighed),
}


def main() -> None:
    """Take them all."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(SITE))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    FOLDER.mkdir(parents=True, exist_ok=True)
    found = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for widget, (about, act) in TAKEN.items():
            page = browser.new_page(viewport={"width": WIDTH, "height": 1400}, color_scheme="light")
            query = "&".join(f"{widget}.{part}" for part in about.split("&"))
            page.goto(f"http://127.0.0.1:{server.server_port}/book/play.html?{query}#play-{widget}")
            place = page.locator(f'div.play[data-widget="{widget}"]')
            place.locator(".stage button").first.wait_for()
            page.wait_for_timeout(6000)
            act(place)
            page.wait_for_timeout(5000)
            page.add_style_tag(content=PLAIN)
            taken = Image.open(io.BytesIO(place.locator(".stage").screenshot())).convert("RGB")
            picture = taken.crop((0, 0, *SHOWN)).quantize(128, dither=Image.Dither.NONE)
            picture.save(FOLDER / f"{widget}.png", optimize=True)
            found.append(picture.convert("RGB"))
            page.close()
        browser.close()
    server.shutdown()
    wide = SHOWN[0] * STRIP // SHOWN[1]
    strip = Image.new("RGB", (wide * len(found), STRIP), "white")
    for k, picture in enumerate(found):
        strip.paste(picture.resize((wide, STRIP)), (k * wide, 0))
    strip.quantize(128).save(FOLDER / "strip.png", optimize=True)


if __name__ == "__main__":
    main()
