"""A real browser opens the page: nothing is asked for, nothing fails, everything is there without a script."""

import io
import json
import os
import shutil
import subprocess
import tarfile
from pathlib import Path

import pandas as pd
import pytest
from PIL import Image
from shown_examples import SECTIONS, clustered, regressed, rich

import tiebreak as tb
from hostile import NAMES

CHROMIUM = os.environ.get("TIEBREAK_CHROMIUM") or shutil.which("chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip
AXE = "axe-core@4.10.3"
PAGES = ["full.html", "hostile.html", "numbers.html", "clusterings.html", "agreements.html"]

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A page with every part, and one of hostile texts."""
    folder = tmp_path_factory.mktemp("pages")
    rich(models=4, n=400, classes=5).report(folder / "full.html")
    regressed(models=3).report(folder / "numbers.html")
    clustered(models=3).report(folder / "clusterings.html")
    clustered(models=3, truth=False).report(folder / "agreements.html")
    names = [name for name in NAMES if "\n" not in name]
    frame = pd.DataFrame({"y_true": names, "<script>p()</script>": names[::-1], "q": names, "text": names})
    models = ["<script>p()</script>", "q"]
    tb.compare(frame, truth="y_true", models=models).report(folder / "hostile.html")
    return folder


class Opened:
    """A page in a browser, and what it asked for and complained about."""

    def __init__(self, browser, path, **context):
        self.context = browser.new_context(**context)
        self.page, self.asked, self.said = self.context.new_page(), [], []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: self.said.append("a dialog"))
        self.page.goto(path.as_uri())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.context.close()

    def elsewhere(self):
        return [url for url in self.asked if not url.startswith(("file:", "data:"))]


def bright(page, **options):
    """The mean brightness of what is seen, from 0 to 255."""
    picture = Image.open(io.BytesIO(page.screenshot(**options))).convert("L")
    return sum(k * count for k, count in enumerate(picture.histogram())) / (picture.width * picture.height)


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_opens_without_a_request_or_a_complaint(browser, written, name, scheme):
    with Opened(browser, written / name, color_scheme=scheme) as opened:
        opened.page.wait_for_timeout(100)
        assert opened.elsewhere() == []
        assert len(opened.asked) == 1 or all(url.startswith("data:") for url in opened.asked[1:])
        assert opened.said == []
        assert opened.page.evaluate("document.scripts.length") == 1
        assert (bright(opened.page) > 200) == (scheme == "light")


def test_everything_is_there_without_a_script(browser, written):
    with Opened(browser, written / "full.html", java_script_enabled=False) as opened:
        page = opened.page
        for section in SECTIONS:
            assert page.locator(f"#{section} h2").is_visible()
        assert page.locator("figure").count() == 15
        for k in range(14):
            box = page.locator("figure svg").nth(k).bounding_box()
            assert box["width"] > 200
            assert box["height"] > 60
        assert page.locator("#models-table tbody tr").count() == 4
        assert page.locator("button, input").count() == 0
        page.locator("summary", has_text="Prayatul measures").click()
        assert page.locator("#measures-table").is_visible()
        assert opened.elsewhere() == []


def test_text_in_figures_is_text(browser, written):
    with Opened(browser, written / "full.html") as opened:
        assert "model 0" in opened.page.locator("#fig-tiers svg").text_content()
        colour = "getComputedStyle(document.querySelector('#fig-tiers svg text')).fill"
        light = opened.page.evaluate(colour)
        opened.page.emulate_media(color_scheme="dark")
        assert opened.page.evaluate(colour) != light


def test_tables_sort_filter_and_are_copied_by_keyboard(browser, written):
    with Opened(browser, written / "full.html") as opened:
        page = opened.page
        head = page.locator("#models-table th", has_text="accuracy")
        column = "[...document.querySelectorAll('#models-table tbody tr')].map(row => row.cells[2].querySelector('data').value)"
        for order in ("descending", "ascending"):
            head.locator("button").focus()
            page.keyboard.press("Enter")
            assert head.get_attribute("aria-sort") == order
            values = list(map(float, page.evaluate(column)))
            assert values == sorted(values, reverse=order == "descending")
        page.locator("summary", has_text="Prayatul measures").click()
        page.get_by_label("Filter the rows of Prayatul measures").fill("model 3")
        assert page.locator("#measures-table tbody tr:visible").count() == 6
        page.get_by_label("Copy the table Models on").click()
        page.get_by_text("Copied, with all digits").wait_for()
        assert opened.said == []


def test_a_link_opens_what_it_points_into(browser, written):
    with Opened(browser, written / "full.html") as opened:
        opened.page.goto((written / "full.html").as_uri() + "#measures-table")
        assert opened.page.locator("#measures-table").is_visible()
        opened.page.goto((written / "full.html").as_uri() + "#model-2")
        assert opened.page.locator("#model-2").is_visible()


def test_the_first_stop_of_the_keyboard_skips_to_the_content(browser, written):
    with Opened(browser, written / "full.html") as opened:
        opened.page.keyboard.press("Tab")
        assert opened.page.evaluate("document.activeElement.className") == "skip"
        opened.page.keyboard.press("Enter")
        assert opened.page.evaluate("document.activeElement.id") == "content"


def test_hovering_a_rounded_number_shows_its_digits(browser, written):
    with Opened(browser, written / "full.html") as opened:
        opened.page.locator("#models-table data").nth(1).hover()
        shown = "getComputedStyle(document.querySelectorAll('#models-table data')[1], '::after').content"
        value = opened.page.locator("#models-table data").nth(1).get_attribute("value")
        assert opened.page.evaluate(shown) == f'"{value}"'


def test_it_prints(browser, written, tmp_path):
    with Opened(browser, written / "full.html", color_scheme="dark") as opened:
        opened.page.emulate_media(media="print", color_scheme="light")
        assert not opened.page.locator("nav").is_visible()
        assert bright(opened.page) > 200
        assert opened.page.pdf(path=tmp_path / "page.pdf")[:5] == b"%PDF-"


def test_it_fits_a_telephone(browser, written):
    for name in PAGES:
        with Opened(browser, written / name, viewport={"width": 360, "height": 740}) as opened:
            assert opened.page.evaluate("document.documentElement.scrollWidth") <= 362


@pytest.fixture(scope="module")
def axe(tmp_path_factory):
    """The accessibility checker, from the npm registry; it is used by this test only."""
    named = os.environ.get("TIEBREAK_AXE")
    if named:
        return Path(named).read_text(encoding="utf-8")
    if shutil.which("npm") is None:
        pytest.skip("no npm on this machine")
    folder = tmp_path_factory.mktemp("axe")
    packed = subprocess.run(["npm", "pack", "--silent", AXE], cwd=folder, capture_output=True, text=True)
    if packed.returncode:
        pytest.skip(f"the npm registry does not answer: {packed.stderr[-200:]}")
    with tarfile.open(folder / packed.stdout.split()[-1]) as held:
        return held.extractfile("package/axe.min.js").read().decode()


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_checker_of_accessibility_finds_nothing_serious(browser, written, axe, name, scheme):
    with Opened(browser, written / name, color_scheme=scheme, bypass_csp=True) as opened:
        opened.page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
        opened.page.evaluate(axe)
        found = opened.page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
        grave = [(each["id"], each["impact"], [node["html"][:150] for node in each["nodes"][:3]]) for each in found]
        assert not [each for each in grave if each[1] in {"serious", "critical"}], json.dumps(grave, indent=1)
