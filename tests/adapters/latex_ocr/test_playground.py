"""The playground in a real browser: load, see the picture, answer, see what it prints and what it earns."""

from __future__ import annotations

import json
import os

import pytest

from .browser import CHROMIUM, page_of
from .conftest import running

pytestmark = pytest.mark.openenv

TYPE = """(() => {
  const box = document.querySelector('#%s textarea, #%s input');
  const proto = box.tagName === 'TEXTAREA' ? HTMLTextAreaElement : HTMLInputElement;
  Object.getOwnPropertyDescriptor(proto.prototype, 'value').set.call(box, %s);
  box.dispatchEvent(new Event('input', {bubbles: true}));
})()"""


def typed(page, name, text):
    page.run(TYPE % (name, name, json.dumps(text)))


@pytest.fixture(scope="module")
def server():
    if CHROMIUM is None:
        if os.environ.get("CI") == "true":
            pytest.fail("no chromium on this machine")
        pytest.skip("no chromium on this machine")
    with running({"LATEX_OCR_DATASET": "builtin"}, web=True) as found:
        yield found


def test_a_visitor_sees_a_picture_answers_it_and_sees_the_score(server, tmp_path):
    target = server.served.source.splits["train"].row(3).latex
    with page_of(f"{server.url}/web/", tmp_path / "profile") as page:
        page.wait("!!document.querySelector('#new')")
        typed(page, "index", "3")
        page.run("document.querySelector('#new').click()")
        page.wait("(document.querySelector('#picture img') || {}).naturalWidth > 0")
        assert target not in page.run("document.documentElement.outerHTML")
        typed(page, "answer", target)
        page.wait("!!document.querySelector('#preview .katex')")
        page.run("document.querySelector('#submit').click()")
        score = page.wait("(document.querySelector('#score textarea, #score input') || {}).value")
        assert score == "1.0000"
        page.wait("document.querySelector('#parts').innerText.includes('char_error_rate')")
        page.run("document.querySelector('#submit').click()")
        page.wait("document.querySelector('#score textarea, #score input').value.includes('not-reset')")
