"""The example for TRL keeps TRL's rules for an environment, and plays a group against a real server."""

from __future__ import annotations

import importlib.util
import inspect
import typing
from pathlib import Path

import pytest

pytestmark = pytest.mark.openenv
EXAMPLE = Path(__file__).parents[3] / "examples" / "latex_ocr_trl.py"


@pytest.fixture
def example(server, monkeypatch):
    monkeypatch.setenv("LATEX_OCR_URL", server.url)
    spec = importlib.util.spec_from_file_location("latex_ocr_trl", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_tool_is_typed_and_documented(example):
    names = [name for name in vars(example.LatexOCR) if not name.startswith("_")]
    assert names == ["reset", "answer", "get_reward"]
    types = typing.get_type_hints(example.LatexOCR.answer)
    assert types == {"latex": str, "return": str}
    assert "latex:" in inspect.getdoc(example.LatexOCR.answer)


def test_a_group_of_one_row_is_played_and_ranked(server, example):
    rows = example.rows(server.url, "test")
    assert len(rows) == server.served.source.splits["test"].size
    target = server.served.source.splits["test"].row(7).latex
    rewards = example.play_group(rows[7], [target, target[: len(target) // 2], ""])
    assert rewards[0] == 1 > rewards[1] > rewards[2] == 0


def test_reset_gives_content_blocks_and_no_target(server, example):
    environment = example.LatexOCR()
    blocks = environment.reset(**example.rows(server.url, "test")[3])
    assert [block["type"] for block in blocks] == ["image", "text"]
    assert blocks[0]["image"].startswith("data:image/png;base64,")
    assert server.served.source.splits["test"].row(3).latex not in str(blocks)
