"""The page: whole by itself, safe with any name, and what a person sees of it in a real browser.

Those that open it need Chromium (Debian: `apt-get install chromium`, as `make test` does), and are skipped without.
"""

from __future__ import annotations

import importlib
import os
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest

from lattice_env.analysis.calibration import calibrate
from lattice_env.analysis.calibration_page import calibration_page
from lattice_env.analysis.estimates import wilson
from lattice_env.analysis.inputs import read_trials
from lattice_env.analysis.plots import heat_colour, interval_plot
from lattice_env.analysis.task_facts import read_tasks

HOSTILE = """<img src=x onerror="alert('1')">&amp;'"""


@pytest.fixture
def page(job, tmp_path):
    """The page of the real job, in a folder beside it."""
    path = tmp_path / "reports" / "calibration page.html"
    path.parent.mkdir()
    found = calibrate(read_trials([job / "jobs"]), read_tasks(job / "tasks"))
    path.write_text(calibration_page(found, path.parent), "utf-8")
    return path


@pytest.fixture
def hostile(make_tasks, make_records, tmp_path):
    """The page of a task, an operator, an agent and a reason with names that are HTML."""
    tasks = make_tasks(a={"operator": HOSTILE, "seed": HOSTILE})
    rows = [("a", 1.0, {"agent": HOSTILE, "model": HOSTILE, "red_lines": (HOSTILE,)}), ("a", 0.0)]
    records = make_records(*rows, ("a", None, {"reason": HOSTILE}))
    path = tmp_path / "hostile.html"
    path.write_text(calibration_page(calibrate(read_trials([records]), read_tasks(tasks)), tmp_path), "utf-8")
    return path


class Elements(HTMLParser):
    """The elements of a page; an error where one is closed that is not open."""

    VOID = ("meta", "input")

    def __init__(self, path):
        super().__init__()
        self.open, self.found = [], []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_every_element_is_closed_and_nothing_is_loaded(page):
    elements = Elements(page)
    assert elements.open == []
    assert not [tag for tag, attrs in elements.found if tag in ("link", "img", "iframe") or "src" in attrs]
    assert "http" not in page.read_text("utf-8")


def test_every_trial_that_labels_is_linked_and_its_link_leads_there(page):
    links = [attrs["href"] for tag, attrs in Elements(page).found if tag == "a"]
    assert len(links) == 27 + 2
    assert all((page.parent / unquote(link)).resolve().is_dir() for link in links)


def test_names_are_text(hostile):
    elements = Elements(hostile)
    assert "img" not in {tag for tag, _ in elements.found}
    assert not [attrs for _, attrs in elements.found if "onerror" in attrs]


@pytest.mark.parametrize(("mean", "count"), [(0.0, 1), (0.3, 10), (1.0, 5)])
def test_a_plot_lies_within_its_picture(mean, count):
    numbers = [
        float(number)
        for number in re.findall(r'(?:x|cx|x1|x2)="([0-9.]+)"', interval_plot(mean, wilson(mean, count), [mean]))
    ]
    assert all(0 <= number <= 180 for number in numbers)
    assert interval_plot(None, None, ()) == ""


def test_colours_tell_high_from_low():
    assert [heat_colour(value) for value in (0, 0.5, 1)] == ["hsl(28 80% 68%)", "hsl(28 80% 100%)", "hsl(214 80% 68%)"]


@pytest.fixture
def browse():
    """A function: open a page in Chromium; what it requested, logged and asked is kept."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if os.environ.get("CI") != "true":
        pytest.importorskip("playwright")
        if program is None:
            pytest.skip("no Chromium on this machine")
    sync = importlib.import_module("playwright.sync_api")
    with sync.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])

        def opened(path):
            view = browser.new_page(viewport={"width": 1300, "height": 900})
            view.heard = []
            view.on("request", lambda request: view.heard.append(("request", request.url)))
            view.on("console", lambda message: view.heard.append(("console", message.text)))
            view.on("pageerror", lambda error: view.heard.append(("error", str(error))))
            view.on("dialog", lambda dialog: (view.heard.append(("dialog", dialog.message)), dialog.dismiss()))
            view.goto(path.as_uri())
            return view

        yield opened
        browser.close()


@pytest.mark.browser
def test_a_person_finds_tasks_by_label_and_by_words(browse, page):
    view = browse(page)
    rows = view.locator("#tasks tbody tr")
    assert view.locator("#shown").inner_text() == "3 of 3 tasks"
    view.fill("#find", "tex-cmd")
    assert view.locator("#shown").inner_text() == "1 of 3 tasks"
    assert [row.is_visible() for row in rows.all()].count(True) == 1
    view.fill("#find", "")
    view.select_option("#label", "TRIVIAL")
    assert view.locator("#shown").inner_text() == "0 of 3 tasks"
    view.select_option("#label", "KEEP")
    assert all(row.is_visible() for row in rows.all())
    assert [kind for kind, _ in view.heard] == ["request"]


@pytest.mark.browser
def test_what_is_drawn_is_where_it_should_be(browse, page):
    view = browse(page)
    for row in view.locator("#tasks tbody tr").all():
        bar, dot, axis = (row.locator(f"svg .{name}").bounding_box() for name in ("bar", "dot", "axis"))
        mean = float(row.locator("td.number").first.inner_text().split()[0])
        assert (dot["x"] + dot["width"] / 2 - axis["x"]) / axis["width"] == pytest.approx(mean, abs=0.01)
        assert bar["x"] < dot["x"] + dot["width"] / 2 < bar["x"] + bar["width"]
    cells = view.locator("#heat tbody td")
    assert cells.count() == 15
    colours = cells.evaluate_all("cells => cells.map(cell => [cell.innerText, getComputedStyle(cell).backgroundColor])")
    assert len({colour for text, colour in colours if text == "0.00"}) == 1
    assert {colour for text, colour in colours if text == "1.00"} != {
        colour for text, colour in colours if text == "0.00"
    }
    assert view.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.browser
def test_a_link_leads_to_the_trial(browse, page):
    view = browse(page)
    view.locator("a.trial.suspect").first.click()
    view.wait_for_load_state()
    place = Path(unquote(urlparse(view.url).path))
    assert (place / "result.json").is_file()
    assert "result.json" in view.content()


@pytest.mark.browser
def test_hostile_names_are_shown_and_do_nothing(browse, hostile):
    view = browse(hostile)
    assert HOSTILE in view.locator("#tasks").inner_text()
    assert [kind for kind, _ in view.heard] == ["request"]
