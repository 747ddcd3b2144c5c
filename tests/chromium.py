"""The built site, served, and a browser to visit it with: fixtures of the browser tests."""

import functools
import http.server
import os
import shutil
import subprocess
import tarfile
import tempfile
import threading
from pathlib import Path
from urllib.parse import urljoin

import pytest

ROOT = Path(__file__).parents[1]
HTML = ROOT / "_build" / "html"
AXE = "axe-core@4.14.0"  # the accessibility rules
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        """Say nothing."""


@pytest.fixture(scope="session")
def site():
    if not (HTML / "index.html").exists():
        pytest.fail("the site is not built: run make book")
    handler = functools.partial(Handler, directory=str(HTML))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def browser():
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("CI has no Chromium: the browser checks may not be skipped there")
        pytest.skip("no Chromium on this machine (Debian: apt install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking",
                 "--disable-component-update", "--disable-sync", "--no-first-run"]  # fmt: skip
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield running
        running.close()


@pytest.fixture(scope="session")
def axe():
    """Return the script of axe-core, fetched once by npm."""
    file = ROOT / ".cache" / f"{AXE}.min.js"
    if not file.exists():
        if shutil.which("npm") is None:
            if os.environ.get("CI"):
                pytest.fail("CI has no npm: the accessibility checks may not be skipped there")
            pytest.skip("no npm on this machine, which brings axe-core")
        file.parent.mkdir(exist_ok=True)
        folder = Path(tempfile.mkdtemp(dir=file.parent))  # another process may fetch it too
        subprocess.run(["npm", "pack", AXE, "--silent"], cwd=folder, check=True, timeout=300)
        with tarfile.open(next(folder.glob("*.tgz"))) as archive:
            (folder / file.name).write_bytes(archive.extractfile("package/axe.min.js").read())
        (folder / file.name).replace(file)
        shutil.rmtree(folder)
    return file.read_text(encoding="utf-8")


@pytest.fixture
def visit(browser, site):
    """Open pages and collect everything that went wrong on them."""
    contexts = []

    def open_page(path, **options):
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.complaints = []
        note = page.complaints.append
        page.on("console", lambda m: note(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: note(f"page error: {error}"))
        page.on("response", lambda r: note(f"{r.status} {r.url}") if r.status >= 400 else None)
        page.on("request", lambda r: None if r.url.startswith((site, "data:", "blob:"))
                else note(f"external request: {r.url}"))  # fmt: skip
        page.goto(urljoin(site, path), wait_until="networkidle")
        return page

    yield open_page
    for context in contexts:
        context.close()
