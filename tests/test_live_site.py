"""The page that computes, in a real browser: panels recompute stored rows, bit for bit.

As `tests/test_site.py`: needs the site (make book) and Chromium.
"""

import functools
import http.server
import json
import re
import threading
import time
from contextlib import suppress

import psutil
import pytest

from gamecore.papers.experiment import games, names
from tests.chromium import HTML, ROOT, Handler

LIVE = HTML / "_static" / "live"
EQUAL, BUSY = "equal, bit for bit", "e => e.querySelector('[aria-busy=true]') === null"
pytestmark = pytest.mark.browser


def known():
    found = {}
    for file in sorted((ROOT / "book" / "_static" / "live").glob("*.json")):
        found |= json.loads(file.read_bytes())["experiments"]
    return found


def panels(game):
    """Return the experiments that a chapter has panels for."""
    text = (HTML / "notebooks" / f"{game}.html").read_text(encoding="utf-8")
    return re.findall(r'data-experiment="([^"]+)"', text)


def opened(page, name):
    """Open a panel; return it when it can be used."""
    panel = page.locator(f'div.recompute[data-experiment="{name}"]')
    panel.locator("summary").click()
    panel.get_by_role("button", name="Recompute", exact=True).wait_for(timeout=20_000)
    return panel


def click(panel, button="Recompute", wait=240):
    """Click a panel's button; return what it says when it is done."""
    panel.get_by_role("button", name=button, exact=button == "Recompute").click()
    panel.page.wait_for_function(BUSY, arg=panel.element_handle(), timeout=wait * 1000)
    return panel.locator(".told").inner_text()


def first_games(panel):
    """Choose a chunk's first games, if it has more."""
    if (choice := panel.get_by_label("how much")).count():
        choice.select_option("first")


def test_every_experiment_that_the_page_knows_has_a_panel():
    shown = [name for game in games() for name in panels(game)]
    assert sorted(shown) == sorted(known())
    assert set(shown) <= set(names())


@pytest.mark.parametrize("game", games())
def test_panels_of_a_chapter_find_their_first_games_equal(visit, game):
    """Another cell than the first, so that it is not always the same one."""
    page = visit(f"notebooks/{game}.html")
    for name in panels(game):
        panel = opened(page, name)
        cells = panel.get_by_label("cell")
        cells.select_option(index=cells.locator("option").count() // 2)
        first_games(panel)
        assert EQUAL in click(panel), name
        panel.locator("summary").click()
    assert page.complaints == []


@pytest.mark.parametrize(
    "name", ["rps/practice", "pokemon/table-4", "geister/table-6.1", "triomineering/table-2",
             "goofspiel/exact", "daifugo/table-1"]
)  # fmt: skip
def test_whole_chunk_is_equal_and_another_seed_is_another_sample(visit, name):
    page = visit(f"notebooks/{name.split('/')[0]}.html")
    panel = opened(page, name)
    if (choice := panel.get_by_label("how much")).count():
        choice.select_option("all")
    assert EQUAL in click(panel)
    assert panel.locator(".shown td.v-exact").count() == panel.locator(".shown tbody tr").count()
    again = panel.get_by_role("button", name="Again")
    if again.is_visible():
        told = click(panel, "Again")
        assert "A new sample" in told
        assert panel.locator(".histogram svg line.new").count() == 1
    else:
        assert "Nothing is drawn by chance" in panel.locator(".seed").inner_text()
    assert page.complaints == []


def test_printed_counts_of_geister_are_ticked_off(visit):
    panel = opened(visit("notebooks/geister.html"), "geister/table-6.1")
    assert "Memory: 43 MB" in panel.locator(".seed").inner_text()
    seen = panel.page.evaluate_handle(
        """panel => { const seen = []; new MutationObserver(() => {
            const line = panel.querySelector('.shown p'); if (line) seen.push(line.textContent);
        }).observe(panel, {childList: true, subtree: true}); return seen; }""",
        panel.element_handle(),
    )
    assert EQUAL in click(panel)
    reached = [int(text.split()[0]) for text in seen.json_value()]
    assert reached == sorted(reached)
    assert reached[0] < 10 < reached[-1] == 48


@pytest.mark.parametrize("size", [1300, 360])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_open_panel_is_accessible_and_fits(visit, axe, size, scheme):
    look = {"color_scheme": scheme, "viewport": {"width": size, "height": 800}}
    page = visit("notebooks/rps.html", **look)
    panel = opened(page, "rps/practice")
    assert EQUAL in click(panel)
    click(panel, "Again")
    assert page.evaluate("document.documentElement.scrollWidth") <= size + 1
    page.evaluate(axe)
    found = page.evaluate("axe.run(document.querySelector('div.recompute'))")["violations"]
    assert [f"{rule['id']}: {rule['nodes'][0]['html'][:200]}" for rule in found] == []


def test_panel_works_by_keyboard(visit):
    page = visit("notebooks/rps.html")
    panel = page.locator('div.recompute[data-experiment="rps/practice"]')
    panel.locator("summary").focus()
    page.keyboard.press("Enter")
    panel.get_by_role("button", name="Recompute", exact=True).wait_for()
    for _ in range(4):  # cell, chunk, how much, the button
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_function(BUSY, arg=panel.element_handle())
    assert EQUAL in panel.locator(".told").inner_text()
    assert page.evaluate("document.activeElement.textContent") == "Recompute"


def test_an_altered_module_is_found_unequal(visit):
    """One number in the code of the generator is another: no rule of the page can hide that."""
    module = (LIVE / "rps.wasm").read_bytes()
    altered = changed(module)

    def serve(route):
        route.fulfill(body=altered, content_type="application/wasm")

    page = visit("notebooks/rps.html")
    page.route("**/rps.wasm", serve)
    told = click(opened(page, "rps/practice"))
    assert "differs from the stored row in" in told


def changed(module):
    """Return a module with another factor in its seeding: a constant of four bytes, in LEB128."""
    value, encoded = 0xCA01F9DD, bytearray()
    while True:  # signed: an i64.const of a positive number
        byte, value = value & 0x7F, value >> 7
        if value == 0 and not byte & 0x40:
            encoded.append(byte)
            break
        encoded.append(byte | 0x80)
    assert module.count(bytes(encoded)) >= 1
    other = bytes([encoded[0] ^ 2, *encoded[1:]])
    return module.replace(bytes(encoded), other)


def test_memory_returns_after_each_of_twenty_runs(visit):
    """The solution of the Pokémon battle takes 117 MB; twenty of them would take 2.3 GB."""
    page = visit("notebooks/pokemon.html")
    panel = opened(page, "pokemon/matrix-1")
    used = []
    for _ in range(20):
        assert EQUAL in click(panel)
        used.append(memory())
    assert page.workers == []
    assert max(used[1:]) < used[0] + 250e6, [round(x / 1e6) for x in used]


def memory():
    """Return the bytes that the browser's processes hold, without what they share."""
    total = 0
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):  # it has ended meanwhile
            total += process.memory_full_info().uss
    return total


def test_stop_ends_the_worker_within_a_second(visit):
    page = visit("notebooks/geister.html")
    panel = opened(page, "geister/table-6.1")
    panel.get_by_role("button", name="Recompute", exact=True).click()
    panel.locator(".shown .verdict").first.wait_for(timeout=60_000)  # it is computing
    assert len(page.workers) == 1
    panel.get_by_role("button", name="Stop").focus()
    began = time.monotonic()
    page.keyboard.press("Enter")
    while page.workers and time.monotonic() - began < 5:
        page.wait_for_timeout(10)
    assert time.monotonic() - began < 1
    assert panel.locator(".told").inner_text() == "Stopped."
    assert panel.locator("[aria-busy]").get_attribute("aria-busy") == "false"
    assert EQUAL in click(panel)  # and it can be started again


def test_a_kernel_that_fails_says_why(visit):
    """Too little memory is an exception like any other."""
    page = visit("notebooks/rps.html")
    told = json.loads((LIVE / "rps.json").read_bytes())
    told["experiments"]["rps/practice"]["shared"]["=last"] = {"type": "<i8", "shape": [2**30]}
    page.route("**/rps.json", lambda route: route.fulfill(json=told))
    assert click(opened(page, "rps/practice")).startswith("MemoryError: ")


def test_a_wrong_chunk_is_refused(visit):
    panel = opened(visit("notebooks/rps.html"), "rps/practice")
    chunk = panel.get_by_role("spinbutton")
    for wrong in ("50", "-1", "1.5", ""):
        chunk.fill(wrong)
        chunk.press("Tab")
        assert panel.get_by_role("button", name="Recompute", exact=True).is_disabled()
        assert "chunks 0 to 49" in panel.locator(".seed").inner_text()


def test_a_page_opened_as_a_file_says_so(browser):
    page = browser.new_page()
    page.goto((HTML / "notebooks" / "rps.html").as_uri())
    place = page.locator("div.recompute")
    place.get_by_text("open the book through a server").wait_for()
    assert "gamecore run rps/practice" in place.inner_text()
    page.close()


def test_without_javascript_or_webassembly_the_page_reads(visit):
    page = visit("notebooks/rps.html", java_script_enabled=False)
    assert "gamecore run rps/practice" in page.locator("div.recompute").inner_text()
    page = visit("book/intro.html")
    page.add_init_script("delete globalThis.WebAssembly")
    page.goto(page.url.replace("book/intro", "notebooks/rps"))
    panel = page.locator("div.recompute")
    panel.locator("summary").click()
    panel.get_by_text("no WebAssembly").wait_for()
    assert "gamecore run rps/practice" in panel.inner_text()


def test_site_works_under_any_path(browser):
    """As on a static host that gives a book a folder."""
    handler = functools.partial(Handler, directory=str(HTML.parent))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page = browser.new_page()
    page.goto(f"http://127.0.0.1:{server.server_port}/{HTML.name}/notebooks/rps.html")
    assert EQUAL in click(opened(page, "rps/practice"))
    page.close()
    server.shutdown()
    server.server_close()


def test_loader_and_worker_are_short():
    names = "live", "worker", "module"
    assert sum(len((LIVE / f"{name}.js").read_text().splitlines()) for name in names) < 400
