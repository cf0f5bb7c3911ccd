"""A real browser on the real command: what is drawn, clicked, keyed and printed, and what never leaves the machine."""

import contextlib
import importlib.util
import shutil
import subprocess
from pathlib import Path

import pytest

from explorer.grounds import ROWS
from explorer.numbers import MODELS, ahead
from explorer.numbers import ROWS as NUMBERS
from explorer.running import running

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
TOOLS = Path(__file__).parents[2] / "tools"

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("playwright") is None or not Path(CHROMIUM).exists(),
    reason="needs Playwright and Chromium",
)


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def address(rows_file):
    with running(rows_file, "--truth", "label", "--models", "knn,tree,forest") as explorer:
        yield explorer.address


@pytest.fixture(scope="module")
def axe():
    if shutil.which("npm") is None:
        pytest.skip("needs npm, to fetch axe-core")
    done = subprocess.run(["python3", str(TOOLS / "fetch_axe.py")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip()).read_text(encoding="utf-8")


@contextlib.contextmanager
def watched(browser, address, **settings):
    """A page that must not complain and may not ask anybody else."""
    context = browser.new_context(viewport={"width": 1440, "height": 1000}, **settings)
    opened = context.new_page()
    complaints, asked = [], []
    opened.on("console", lambda message: complaints.append(message.text))
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("request", lambda sent: asked.append(sent.url))
    opened.goto(address)
    yield opened
    context.close()
    assert complaints == []
    assert asked
    assert all(url.startswith(address) for url in asked), asked


@pytest.fixture
def page(browser, address, request):
    with watched(browser, address, **getattr(request, "param", {})) as opened:
        yield opened


def shown(page):
    return [int(row.get_attribute("data-row")) for row in page.query_selector_all("#rows tbody tr")]


def follow(page, selector):
    with page.expect_navigation():
        page.click(selector)


def brute(primary="knn", alternative="tree", cell=(True, False), where=lambda row: True):
    return [
        n
        for n, row in enumerate(ROWS)
        if ((row[primary] == row["label"]), (row[alternative] == row["label"])) == cell and where(row)
    ]


def both_ways(test):
    return pytest.mark.parametrize("page", [{}, {"java_script_enabled": False}], ids=["scripts", "no scripts"], indirect=True)(test)  # fmt: skip


@both_ways
def test_clicking_through_cells_filters_pages_and_one_instance(page):
    follow(page, "#right_wrong")
    assert shown(page) == brute()[:50]
    assert page.inner_text("#total") == f"{len(brute())} rows"
    follow(page, "#both_right")
    follow(page, "a[rel=next]")
    assert shown(page) == brute(cell=(True, True))[50:100]
    page.select_option("#true", label="it's")
    page.fill("#text", "<script>")
    follow(page, "button.main")
    wanted = brute(cell=(True, True), where=lambda row: row["label"] == "it's" and "<script>" in (row["text"] or ""))
    assert shown(page) == wanted[:50]
    assert wanted
    follow(page, "#rows tbody tr:nth-child(2) th a")
    assert f"Row {wanted[1]}" in page.inner_text("h1")
    follow(page, "a[rel=next]")
    assert f"Row {wanted[2]}" in page.inner_text("h1")
    follow(page, "a[rel=up]")
    assert shown(page) == wanted[:50]
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    assert shown(page) == wanted[:50]


@both_ways
def test_another_pair_and_another_count_can_be_chosen(page, request):
    """With scripts the choice itself is enough; without them there is a button."""
    has_scripts = "no scripts" not in request.node.name
    choose(page, "#primary", "forest", ".pair button", has_scripts=has_scripts)
    follow(page, "#wrong_right")
    assert shown(page) == brute("forest", cell=(False, True))[:50]
    choose(page, "#counts", "split", ".counts button", has_scripts=has_scripts)
    follow(page, ".counts tbody a >> nth=0")
    first = page.inner_text(".chips li:nth-child(2)")
    split = "dev" if "dev" in first else "test"
    assert shown(page) == brute("forest", cell=(False, True), where=lambda row: row["split"] == split)[:50]


def choose(page, field, option, button, *, has_scripts):
    if has_scripts:
        with page.expect_navigation():
            page.select_option(field, option)
    else:
        page.select_option(field, option)
        follow(page, button)


def test_the_keyboard_reaches_everything(page):
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.focus("#right_wrong")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.closest('tr').dataset.row") == str(brute()[1])
    with page.expect_navigation():
        page.keyboard.press("n")
    assert shown(page) == brute()[50:100]
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "text"
    page.keyboard.type("nobody")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert shown(page) == []
    assert "No row passes" in page.inner_text("main")


def assert_accessible(page, axe, addresses):
    for where in addresses:
        page.goto(where)
        page.evaluate(axe)
        found = page.evaluate("axe.run(document)")
        serious = [
            (rule["id"], rule["impact"], [node["html"][:200] for node in rule["nodes"]])
            for rule in found["violations"]
            if rule["impact"] in {"serious", "critical", "moderate"}
        ]
        assert serious == [], where


@pytest.mark.parametrize("page", [{"color_scheme": "light"}, {"color_scheme": "dark"}], ids=str, indirect=True)  # fmt: skip
def test_axe_finds_nothing_serious(page, axe, address):
    places = ("", "?cell=right_wrong&sort=age&text=a", "row/7?cell=right_wrong", "row/8", "?id=nobody")
    assert_accessible(page, axe, [address + place for place in places])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_numbers_are_clicked_through_by_who_is_nearer(browser, axe, numbers_file, scheme):
    options = ("--task", "regression", "--truth", "y", "--models", ",".join(MODELS), "--id", "id", "--missing", "wrong")
    gaps = [ahead(row, "near", "far") for row in NUMBERS]
    with (
        running(numbers_file, *options) as explorer,
        watched(browser, explorer.address, color_scheme=scheme) as page,
    ):
        follow(page, "#primary_better")
        better = [n for n, gap in enumerate(gaps) if gap > 0]
        assert shown(page) == better[:50]
        page.select_option("#sort", "gap")
        page.select_option("#order", "desc")
        follow(page, "button.main")
        widest = sorted(better, key=lambda n: -gaps[n])
        assert shown(page) == widest[:50]
        follow(page, "#rows tbody tr:nth-child(1) th a")
        assert f"Row {widest[0]}" in page.inner_text("h1")
        assert "Best: " in page.inner_text(".verdict")
        places = ("", "?cell=tied&sort=gap", "row/4")
        assert_accessible(page, axe, [explorer.address + place for place in places])


def test_light_dark_print_and_a_narrow_window_are_drawn(page, tmp_path):
    pictures = {}
    for name, settings in (
        ("light", {"color_scheme": "light"}), ("dark", {"color_scheme": "dark"}), ("print", {"media": "print"}),
    ):  # fmt: skip
        page.emulate_media(**settings)
        pictures[name] = page.screenshot(path=str(tmp_path / f"{name}.png"))
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert colour == {"light": "rgb(253, 253, 252)", "dark": "rgb(20, 23, 26)", "print": "rgb(255, 255, 255)"}[name]
        assert page.is_visible(".filters") == (name != "print")
        assert page.is_visible("#rows")
    assert len(set(pictures.values())) == 3
    page.emulate_media(media="screen", color_scheme="light")
    page.set_viewport_size({"width": 380, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= 380


def test_another_site_can_neither_read_nor_frame_it(browser, address):
    context = browser.new_context()
    page = context.new_page()
    context.route("http://evil.example/*", lambda route: route.fulfill(body="<p>evil</p>", content_type="text/html"))
    page.goto("http://evil.example/")
    for mode in ("cors", "no-cors"):
        read = page.evaluate(
            "([url, mode]) => fetch(url, {mode}).then(r => r.text()).catch(() => 'refused')", [address, mode]
        )
        assert read in {"refused", ""}
    page.evaluate(
        "url => { const f = document.createElement('iframe'); f.src = url; document.body.append(f); }", address
    )
    page.wait_for_timeout(500)
    assert not any("Models" in (frame.content() if frame.url != "about:blank" else "") for frame in page.frames[1:])
    context.close()
