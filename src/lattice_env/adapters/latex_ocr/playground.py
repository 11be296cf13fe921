"""The playground at `/web`: a picture, an answer, what it prints, and its score with all parts."""

from __future__ import annotations

import io
import json
from functools import partial
from typing import Any

import gradio
from fastapi import FastAPI
from fastapi.responses import RedirectResponse
from PIL import Image

from lattice_env.errors import LatticeError
from lattice_env.families.latex_ocr.episode import Session
from lattice_env.verifier.answer import unwrap

from .environment import Served

IDLE_SECONDS = 3600
MOST_PREVIEWED = 2000
"""Characters of the longest answer that is previewed."""

_ui: Any = gradio


def mount_playground(app: FastAPI, served: Served) -> None:
    """Put the playground under `/web`, each visitor with a session of their own, and lead `/` there."""

    @app.get("/", include_in_schema=False)
    async def root() -> RedirectResponse:  # pyright: ignore[reportUnusedFunction] - the route uses it
        return RedirectResponse("/web/")

    _ui.mount_gradio_app(app, _blocks(served), path="/web")


def _blocks(served: Served) -> Any:
    splits = list(served.source.splits)
    with _ui.Blocks(title="LaTeX OCR", analytics_enabled=False) as blocks:
        _ui.Markdown("# LaTeX OCR\nRead the picture, write its LaTeX, see what it earns.")
        session = _ui.State(None, time_to_live=IDLE_SECONDS)
        with _ui.Row():
            split = _ui.Dropdown(splits, value=splits[0], label="split")
            index = _ui.Textbox(label="index (empty: any)", elem_id="index")
            new = _ui.Button("New picture", elem_id="new")
        picture = _ui.Image(label="picture", type="pil", interactive=False, elem_id="picture")
        answer = _ui.Textbox(label="your LaTeX", lines=3, elem_id="answer", max_length=MOST_PREVIEWED)
        _ui.Markdown("What your answer prints:")
        preview = _ui.Markdown(latex_delimiters=[{"left": "$$", "right": "$$", "display": True}], elem_id="preview")
        submit = _ui.Button("Submit", variant="primary", elem_id="submit")
        score = _ui.Textbox(label="score", interactive=False, elem_id="score")
        parts = _ui.Code(label="its parts", language="json", interactive=False, elem_id="parts")
        shown = [session, picture, score, parts]
        new.click(partial(_show, served), [split, index], shown, api_name=False)
        answer.change(_preview, answer, preview, api_name=False, show_progress="hidden")
        submit.click(_judge, [session, answer], [score, parts], api_name=False)
    return blocks


def _show(served: Served, split: str, number: str) -> tuple[Session | None, Any, str, str]:
    """A new session's picture; a stream's visitor gets its first."""
    session = Session(served.source, served.settings)
    try:
        index = int(number) if number.strip() else None
        _, picture = session.reset(split=split, index=index)
    except (LatticeError, ValueError) as error:
        return None, None, f"no picture: {error}", ""
    return session, Image.open(io.BytesIO(picture)) if picture else None, "", ""


def _preview(answer: str) -> str:
    inside = unwrap(answer).replace("$$", "")
    return f"$${inside}$$" if inside else ""


def _judge(session: Session | None, answer: str) -> tuple[str, str]:
    if session is None:
        return "ask for a picture first", ""
    try:
        outcome = session.step(answer)
    except LatticeError as error:
        return str(error), ""
    told = {"target_latex": outcome.target, **outcome.judgement.metadata()}
    return f"{outcome.judgement.reward:.4f}", json.dumps(told, indent=1, ensure_ascii=False)
