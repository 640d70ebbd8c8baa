"""Looks at the site as a browser shows it: `python docs/site/look.py target/site [FOLDER]`.

Each page in the width of a desktop and of a phone: nothing is wider than the window, nothing is missing or
comes from elsewhere, the console says no error, and the search finds something. Screenshots go to FOLDER.
It takes Chromium, and Playwright.
"""

from __future__ import annotations

import shutil
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

WIDTHS = {"desktop": (1280, 900), "phone": (390, 844)}
SHOTS = ("index", "docs/how-it-works", "docs/guide/planning", "docs/site/python", "bench/report/report")

# By how much the text can be pushed aside, or is cut. Tables and lines of code scroll in themselves.
BEYOND = """() => {
    let most = 0;
    for (let e = document.querySelector("article"); e; e = e.parentElement) {
        if (getComputedStyle(e).overflowX != "visible") most = Math.max(most, e.scrollWidth - e.clientWidth);
    }
    return most;
}"""


class Quiet(SimpleHTTPRequestHandler):
    """Files, and no words of them."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def watch(view: Any, address: str, where: list[str], wrong: list[str]) -> None:
    """Note what the console says, what is missing, and what is asked of other places."""

    def note(text: str) -> None:
        wrong.append(f"{where[0]}: {text}")

    view.on("console", lambda said: said.type == "error" and note(said.text))
    view.on("pageerror", lambda error: note(str(error)))
    view.on("response", lambda answer: answer.status >= 400 and note(f"{answer.status} {answer.url}"))
    view.on(
        "request", lambda asked: asked.url.startswith((address, "data:")) or note(f"asks for {asked.url}")
    )


def look(browser: Any, address: str, pages: list[str], folder: Path | None) -> list[str]:
    """Give what is wrong."""
    wrong: list[str] = []
    for name, (width, height) in WIDTHS.items():
        view = browser.new_page(viewport={"width": width, "height": height})
        where = [""]
        watch(view, address, where, wrong)
        for page in pages:
            where[0] = f"{page} ({name})"
            view.goto(f"{address}/{page}.html")
            wide = view.evaluate(BEYOND)
            if wide > 0:
                wrong.append(f"{where[0]}: {wide} pixels too wide")
            broken = view.evaluate("[...document.images].filter(i => !i.naturalWidth).map(i => i.src)")
            wrong += [f"{where[0]}: no picture {source}" for source in broken]
            if folder and page in SHOTS:
                view.screenshot(path=folder / f"{page.replace('/', '-')}-{name}.png")
        where[0] = f"search ({name})"
        view.goto(f"{address}/search.html?q=bootstrap")
        view.wait_for_selector("ul.search li a", timeout=10_000)
        view.close()
    return wrong


def main() -> int:
    """Say what is wrong, if anything."""
    site, folder = Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        sync_playwright = None
    if not chromium or not sync_playwright:
        print("the site was not looked at: it takes Chromium, and pip install playwright")
        return 0
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    pages = sorted(str(p.relative_to(site).with_suffix("")) for p in site.rglob("*.html"))
    pages = [p for p in pages if not p.startswith(("rust/", "_", "genindex", "search"))]
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        wrong = look(browser, f"http://127.0.0.1:{server.server_port}", pages, folder)
        browser.close()
    server.shutdown()
    print(*wrong, f"{len(pages)} pages in two widths: {len(wrong)} wrong", sep="\n")
    return bool(wrong)


sys.exit(main())
