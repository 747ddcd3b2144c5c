"""Games in the page, in a real browser: played to the end by clicks, the same as in Python.

As `tests/test_site.py`: needs the site (make book) and Chromium.
"""

import contextlib
import io
import re
import shutil
import subprocess
import sys
from importlib import import_module

import pytest
from playwright.sync_api import TimeoutError

from gamecore.live.plan import GAMES
from gamecore.papers.page import WIDGETS
from tests.chromium import HTML, ROOT

pytestmark = pytest.mark.browser
SIZES = {"phone": {"width": 360, "height": 740}, "desk": {"width": 1300, "height": 900}}
PLAYED = [
    pytest.param(widget, *game, id=f"{widget}-{k}")
    for name in GAMES
    for widget, games in import_module(f"tests.play.{name}").GAMES.items()
    for k, game in enumerate(games)
]
#: Widgets that draw nothing by chance.
SEEDLESS = "geister-explorer", "geister-tsume"
#: Links that cannot be followed, and what is said of them.
NONSENSE = [
    ("rps", "seed=7&rps.moves=rock,rok", "move 2 is none"),
    ("pokemon", "seed=7&pokemon.moves=dance", "cannot be chosen here"),
    ("geister", "seed=7&geister.moves=a9%20up", "is not a legal move"),
    ("geister-explorer", "position=bbrr/xxxx/..../BBRR", "position was left out"),
    ("geister-tsume", "problem=1&geister-tsume.moves=a9%20up", "is not a move"),
    ("triomineering", "seed=7&triomineering.moves=9.9", "Not all of the link"),
    ("goofspiel", "seed=7&goofspiel.moves=9", "not in your hand"),
    ("daifugo", "seed=7&daifugo.pace=0&daifugo.moves=XX", "is not legal here"),
]
by_widget = pytest.mark.parametrize("widget", list(WIDGETS))


def opened(visit, widget, query="", **options):
    """Visit the page with one widget open; return page and widget."""
    page = visit(f"book/play.html?{query}#play-{widget}", **options)
    place = page.locator(f'div.play[data-widget="{widget}"]')
    if place.locator("details").first.get_attribute("open") is None:
        place.locator("summary").first.click()
    place.locator(".stage button").first.wait_for(timeout=30_000)
    page.wait_for_function("e => e.querySelector('[aria-busy=true]') === null",
                           arg=place.element_handle(), timeout=60_000)  # fmt: skip
    return page, place


def printed(code):
    """Return what lines of Python print."""
    with contextlib.redirect_stdout(io.StringIO()) as said:
        exec(compile(code, "the page's code", "exec"), {"__name__": "__main__"})
    return said.getvalue().strip()


@pytest.mark.parametrize(("widget", "query", "play"), PLAYED)
def test_game_is_the_same_in_python(visit, widget, query, play):
    page, place = opened(visit, widget, query)
    play(page)
    record = place.locator(".stage").get_attribute("data-record")
    assert record
    assert printed(place.locator("pre.python").first.text_content()) == record
    assert not page.complaints


def test_every_widget_is_played_by_a_test():
    assert {param.values[0] for param in PLAYED} == set(WIDGETS)


def test_link_is_the_game(visit):
    """Moves and all: a reload shows what was there."""
    widget, query, play = PLAYED[0].values
    page, place = opened(visit, widget, query)
    play(page)
    record = place.locator(".stage").get_attribute("data-record")
    page.reload(wait_until="networkidle")
    place.locator("pre.python").first.wait_for(state="attached", timeout=30_000)
    assert place.locator(".stage").get_attribute("data-record") == record


@pytest.mark.parametrize("widget", [name for name in WIDGETS if name not in SEEDLESS])
def test_a_bad_seed_is_refused_with_a_sentence(visit, widget):
    page, place = opened(visit, widget, f"{widget}.seed=-3")
    assert not page.complaints
    refusal = place.locator(".said", has_text="A seed is a whole number")
    field = place.get_by_label("seed", exact=True)
    field.fill("x7")
    field.press("Tab")  # some begin anew at once
    with contextlib.suppress(TimeoutError):
        return refusal.wait_for(timeout=1000)
    button = place.get_by_role("button", name=re.compile("seed"))
    (button if button.is_enabled() else place.get_by_role("button").first).click()
    refusal.wait_for(timeout=10_000)


@pytest.mark.parametrize(("widget", "about", "words"), NONSENSE)
def test_nonsense_in_a_link_is_said(visit, widget, about, words):
    page, place = opened(visit, widget, f"{widget}.{about}")
    place.locator(".said", has_text=words).wait_for(timeout=20_000)
    assert not page.complaints


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
@by_widget
def test_widget_is_accessible_and_fits(visit, axe, widget, size, scheme):
    page, place = opened(visit, widget, viewport=SIZES[size], color_scheme=scheme)
    page.evaluate(axe)
    found = page.evaluate("e => axe.run(e)", place.element_handle())
    assert not [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]]
    wide = """e => [...e.querySelectorAll("*")]
        .filter(x => x.getBoundingClientRect().right > innerWidth + 1)
        .map(x => x.outerHTML.slice(0, 99))"""
    assert page.evaluate(wide, place.element_handle()) == []
    assert not page.complaints


@by_widget
def test_widget_can_be_reached_by_keyboard(visit, widget):
    """Every control has a name, and tabs lead through them."""
    page, place = opened(visit, widget)
    place.locator("summary").first.focus()
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        inside = page.evaluate(
            """e => e.contains(document.activeElement)
                && document.activeElement.outerHTML.slice(0, 200)""",
            place.element_handle(),
        )
        if not inside:
            break
        reached.add(inside)
    assert len(reached) >= 3


@pytest.mark.parametrize("game", ["rps"])
def test_another_rule_is_another_game(visit, tmp_path, game):
    """Who beats whom, turned round in the kernel: the page follows, for it knows no rule."""
    shutil.copytree(
        ROOT / "gamecore", tmp_path / "gamecore", ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copytree(ROOT / "data", tmp_path / "data")
    rules = tmp_path / "gamecore" / "rps" / "rules.py"
    right, wrong = "(move - reply + 4) % 3 - 1", "(reply - move + 4) % 3 - 1"
    assert right in rules.read_text(encoding="utf-8")
    rules.write_text(rules.read_text(encoding="utf-8").replace(right, wrong), encoding="utf-8")
    subprocess.run(
        [sys.executable, "-m", "gamecore.live.build", game], cwd=tmp_path, check=True, timeout=300
    )
    altered = (tmp_path / "book" / "_static" / "live" / "rps.wasm").read_bytes()

    def points(page, place):
        place.locator(".choices button").first.click()
        place.locator(".said", has_text="Round 1 ").wait_for()
        return place.locator("dl.facts dd").all_inner_texts()[3]

    page, place = opened(visit, game, "rps.seed=7&rps.against=habit")
    before = points(page, place)
    context = page.context
    context.route(
        re.compile(r"rps\.wasm"),
        lambda route: route.fulfill(body=altered, content_type="application/wasm"),
    )
    page.goto(
        page.url.split("?")[0] + "?rps.seed=7&rps.against=habit#play-rps", wait_until="networkidle"
    )
    place = page.locator('div.play[data-widget="rps"]')
    place.locator(".choices button").first.wait_for()
    assert int(before) != 0
    assert int(points(page, place)) == -int(before)


def test_page_opened_as_a_file_says_so(browser):
    page = browser.new_page()
    page.goto((HTML / "book" / "play.html").as_uri())
    said = page.locator("div.play").first
    said.locator("p", has_text="open the book through a server").wait_for()
    page.close()


def test_without_javascript_the_page_reads(visit):
    page = visit("book/play.html", java_script_enabled=False)
    assert page.locator("div.play", has_text="gamecore play rps").count() == 1
