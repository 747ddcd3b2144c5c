"""The built site in a real browser: what a reader meets.

Needs the site (make book) and Chromium. Without Chromium the tests are skipped with a reason; in CI
(the variable CI is set) that would be a failure. The same goes for npm, which brings axe-core.
"""

import io
import re
from pathlib import Path
from urllib.parse import quote, urldefrag

import nbformat
import pytest
import yaml
from PIL import Image

from gamecore.papers import published
from tests.chromium import HTML, ROOT

SIZES = {"desktop": {"width": 1300, "height": 900}, "phone": {"width": 360, "height": 780}}
pytestmark = pytest.mark.browser


def toc_pages():
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text())
    files = [toc["root"]]
    files += [chapter["file"] for part in toc.get("parts", []) for chapter in part["chapters"]]
    return files + sorted(f"book/api/{file.stem}" for file in (ROOT / "book" / "api").glob("*.md"))


@pytest.mark.parametrize("name", toc_pages())
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_page_is_sound(visit, axe, name, scheme, size):
    page = visit(f"{name}.html", color_scheme=scheme, viewport=SIZES[size])
    assert page.complaints == []  # no console error, nothing from outside
    assert page.locator(".bd-article h1").count() == 1
    assert page.locator(".bd-article").inner_text().strip()
    assert not [x for x in page.locator(".cell_output").all_inner_texts() if "Traceback" in x]
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"] + 1
    assert page.evaluate(BROKEN_IMAGES) == []
    closed = "document.querySelectorAll('.bd-article details:not(.play *, .recompute *, [open])')"
    page.evaluate(f"{closed}.forEach(fold => {{ fold.open = true; fold.dataset.opened = '' }})")
    page.wait_for_timeout(300)  # tables fit themselves to their column when they are seen
    assert page.evaluate(TOO_WIDE) == []
    opened = "document.querySelectorAll('.bd-article details[data-opened]')"
    page.evaluate(f"{opened}.forEach(fold => {{ fold.open = false }})")
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    serious = [
        f"{rule['id']}: {rule['help']}: {node['html'][:200]}"
        for rule in found
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]
    assert serious == []


# Pictures must load and say what they show: a file's name is no alt text.
BROKEN_IMAGES = """
Array.from(document.querySelectorAll('.bd-article img')).filter(i => !i.complete || !i.naturalWidth
  || !i.alt || /[.](svg|png)$/.test(i.alt)).map(i => i.src + ' alt=' + i.alt)
  .concat(Array.from(document.querySelectorAll('.bd-article svg')).filter(
    s => s.closest('.drawn') && !s.getAttribute('aria-label') && !s.querySelector('title')
  ).map(s => s.outerHTML.slice(0, 200)))
"""
# Nothing but code scrolls sideways: nothing is wider than its column or hides a part of itself.
TOO_WIDE = """
Array.from(document.querySelectorAll('.bd-article *')).filter(e => {
  if (e.closest('pre, .tooltip, mjx-assistive-mml')) return false;
  if (e.closest('svg') && e.tagName !== 'svg') return false;
  const style = getComputedStyle(e), box = e.getBoundingClientRect();
  if (!box.width || style.position === 'absolute' || style.clipPath !== 'none') return false;
  const column = e.closest('.bd-article').getBoundingClientRect();
  const scrolls = ['auto', 'scroll'].includes(style.overflowX) && e.scrollWidth > e.clientWidth + 1;
  return box.right > column.right + 1 || scrolls;
}).map(e => `${e.tagName}.${e.className} ${e.outerHTML.slice(0, 150)}`)
"""


def test_no_page_tells_where_it_was_built(site):
    for file in HTML.rglob("*.html"):
        assert str(ROOT) not in file.read_text(encoding="utf-8"), file


def test_internal_links_lead_somewhere(visit, site):
    seen = {}
    for name in toc_pages():
        page = visit(f"{name}.html")
        for link in page.eval_on_selector_all("a[href]", "links => links.map(a => a.href)"):
            target, fragment = urldefrag(link)
            if target.startswith(site):
                file = HTML / target.removeprefix(site)
                file = file / "index.html" if file.is_dir() else file
                assert file.is_file(), f"{name}: {link}"
                if fragment and file.suffix == ".html":
                    text = seen.setdefault(file, file.read_text(encoding="utf-8"))
                    assert f'id="{fragment}"' in text, f"{name}: {link}"


def test_formulas_are_set_offline(visit):
    page = visit("book/verdicts.html")
    page.wait_for_selector("mjx-container", timeout=10_000)
    assert page.complaints == []


def test_search_finds_a_word(visit):
    page = visit("search.html?q=prediction")
    page.wait_for_selector("#search-results ul.search li", timeout=20_000)
    assert "verdict" in page.locator("#search-results").inner_text().lower()
    assert page.complaints == []


@pytest.mark.parametrize("name", [n for n in toc_pages() if n.startswith("notebooks/")])
def test_download_is_an_executed_notebook(visit, name, tmp_path):
    page = visit(f"{name}.html")
    link = page.locator("a.download[href$='.ipynb']").first
    with page.expect_download() as download:
        link.click()
    file = tmp_path / "downloaded.ipynb"
    download.value.save_as(file)
    notebook = nbformat.read(file, as_version=4)
    nbformat.validate(notebook)
    assert any(cell.get("outputs") for cell in notebook.cells)


def test_scoreboard_filters_and_sorts_by_clicking(visit):
    page = visit("book/scoreboard.html")
    revised, full = (
        f"Array.from([...document.querySelectorAll('.filterable')].at({i})"
        ".querySelectorAll('tbody tr')).filter(r => !r.hidden)"
        for i in (0, 1)
    )
    page.get_by_label("choose what is now").select_option(index=1)
    assert len(set(page.evaluate(f"{revised}.map(r => r.children[4].textContent)"))) == 1
    visible = full
    assert page.evaluate(f"{visible}.length") == 40
    page.get_by_role("button", name="Show all").last.click()
    everything = page.evaluate(f"{visible}.length")
    assert everything == len(published.load())
    page.get_by_label("choose a verdict").select_option(index=1)
    verdicts = page.evaluate(f"{visible}.map(r => r.children[3].textContent.trim())")
    assert 0 < len(verdicts) < everything
    assert len(set(verdicts)) == 1
    page.get_by_label("choose a verdict").select_option(index=0)
    page.locator(".filterable thead button", has_text="published").click()
    cell = "parseFloat(r.children[1].textContent.replace(/,/g, ''))"
    numbers = page.evaluate(f"{visible}.map(r => {cell})")
    known = [x for x in numbers if x is not None and x == x]
    assert known == sorted(known)
    assert page.complaints == []


def test_wide_tables_are_stacked_on_a_phone_and_say_their_columns(visit):
    page = visit("book/scoreboard.html", viewport=SIZES["phone"])
    cell = page.locator("table.stacked tbody tr:visible td[data-head='verdict']").first
    assert cell.evaluate("e => getComputedStyle(e, '::before').content") == '"verdict"'
    assert cell.bounding_box()["x"] + cell.bounding_box()["width"] <= SIZES["phone"]["width"]
    wide = visit("notebooks/rps.html", viewport=SIZES["desktop"])
    assert wide.locator("table:not(.stacked)").count() > 0


def test_intervals_and_z_are_in_the_page_without_a_mouse(visit):
    page = visit("notebooks/rps.html", viewport=SIZES["phone"])
    folded = page.locator("details.numbers").first
    shown = folded.locator("td[data-head='z']").first
    assert not shown.is_visible()
    folded.locator("summary").focus()
    page.keyboard.press("Enter")
    assert shown.is_visible()
    assert float(shown.inner_text())


def test_figure_is_enlarged_by_a_tap_and_closed_by_escape(visit):
    page = visit("notebooks/rps.html", viewport=SIZES["phone"])
    small = page.locator("figure img").first
    before = small.bounding_box()["width"]
    small.click()
    box = page.locator("dialog.enlarged")
    assert box.locator("img").bounding_box()["width"] > 2 * before
    page.keyboard.press("Escape")
    assert box.count() == 0
    page.get_by_role("button", name="enlarge").first.focus()
    page.keyboard.press("Enter")
    assert box.count() == 1
    assert page.complaints == []


def test_figures_follow_the_theme_and_not_only_the_system(visit):
    page = visit("notebooks/rps.html", viewport=SIZES["desktop"], color_scheme="light")

    def corner():
        image = Image.open(io.BytesIO(page.locator("figure img").first.screenshot()))
        return sum(image.convert("RGB").getpixel((3, 3)))

    assert corner() > 700
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert corner() < 150


def test_link_to_a_claim_is_copied(visit, browser, site):
    page = visit("notebooks/rps.html")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    claim = page.locator("article.claim").first
    claim.get_by_role("button", name="copy link").click()
    claim.get_by_text("link copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.endswith(f"notebooks/rps.html#{claim.get_attribute('id')}")


@pytest.mark.parametrize("game", sorted({row.paper for row in published.load()}))
def test_every_figure_table_and_claim_has_an_address(visit, game):
    page = visit(f"notebooks/{game}.html")
    places = page.locator(".bd-article :is(figure, .beside, article.claim)")
    nameless = places.evaluate_all(
        """found => found.filter(e => !e.closest('.recompute, .play, .numbers, .rules') &&
          !e.closest('figure')?.querySelector('.tools a') && !e.querySelector('.tools a')
        ).map(e => e.outerHTML.slice(0, 200))"""
    )
    assert nameless == []


def test_search_finds_a_table_by_its_number_and_a_claim_by_its_words(visit):
    """By a word, too, that no prose has: the search sees what cells show."""
    source = (ROOT / "notebooks" / "daifugo.md").read_text(encoding="utf-8").lower()
    said = " ".join(row.row.lower() for row in published.load("daifugo") if row.kind == "claim")
    alone = next(word for word in re.findall(r"[a-z]{6,}", said) if word not in source)
    for query, page_name in (("table 6.4", "geister"), (alone, "daifugo")):
        page = visit(f"search.html?q={quote(query)}")
        page.wait_for_selector("#search-results ul.search li", timeout=20_000)
        links = page.locator("#search-results ul.search li a").evaluate_all(
            "a => a.map(x => x.href)"
        )
        assert any(f"notebooks/{page_name}.html" in link for link in links), query


@pytest.mark.parametrize("name", toc_pages())
def test_page_has_a_description_and_a_picture_for_links_to_it(visit, name):
    page = visit(f"{name}.html")
    metas = page.locator("meta[property^='og:'], meta[name='description']").evaluate_all(
        "all => Object.fromEntries(all.map(m => [m.getAttribute('property') || m.name, m.content]))"
    )
    assert metas["og:title"]
    assert (HTML / Path(name).parent / metas["og:image"]).resolve().is_file()
    if name.startswith("notebooks/") or name == "book/intro":
        assert 60 < len(metas["description"]) < 220


def test_print_unfolds_what_is_folded_and_hides_what_needs_a_screen(visit):
    page = visit("notebooks/rps.html", viewport=SIZES["desktop"])
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator("details.numbers:not([open])").count() == 0
    for hidden in (".tools", ".recompute", ".bd-sidebar-primary"):
        assert not page.locator(hidden).first.is_visible()
