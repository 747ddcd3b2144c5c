"""The built site in a real browser: what a reader meets.

Needs the site (make book) and Chromium. Without Chromium the tests are skipped with a reason; in CI
(the variable CI is set) that would be a failure. The same goes for npm, which brings axe-core.
"""

from urllib.parse import urldefrag

import nbformat
import pytest
import yaml

from tests.chromium import HTML, ROOT

SIZES = {"desktop": {"width": 1280, "height": 900}, "phone": {"width": 390, "height": 844}}
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
    assert page.evaluate(WIDE_TABLES) == []
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
# A table wider than the text must have a parent that scrolls.
WIDE_TABLES = """
Array.from(document.querySelectorAll('.bd-article table')).filter(t => {
  if (t.getBoundingClientRect().right <= window.innerWidth) return false;
  for (let e = t; e && !e.matches('.bd-article'); e = e.parentElement)
    if (['auto', 'scroll'].includes(getComputedStyle(e).overflowX)) return false;
  return true;
}).map(t => t.outerHTML.slice(0, 200))
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
    everything = page.evaluate(f"{visible}.length")
    page.get_by_label("choose a verdict").select_option(index=1)
    verdicts = page.evaluate(f"{visible}.map(r => r.children[5].textContent.trim())")
    assert 0 < len(verdicts) < everything
    assert len(set(verdicts)) == 1
    page.get_by_label("choose a verdict").select_option(index=0)
    page.locator(".filterable thead button", has_text="published").click()
    cell = "parseFloat(r.children[3].textContent.replace(/,/g, ''))"
    numbers = page.evaluate(f"{visible}.map(r => {cell})")
    known = [x for x in numbers if x is not None and x == x]
    assert known == sorted(known)
    assert page.complaints == []
