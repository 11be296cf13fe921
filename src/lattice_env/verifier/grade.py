"""The grade of a submission that passed every gate and crossed no red line."""

from __future__ import annotations

import math

from .distance import edit_distance, lcs_length
from .facts import Outcome

MOST_WITHOUT_IDENTITY = 0.9
HALF_LIFE = 4
"""How many differing tokens of the PDF's text halve the restoration."""


def grade(submitted: Outcome, original: Outcome, *, edit_size: int, reference_size: int) -> dict[str, float]:
    """The reward and its components, as `reward.json` names them."""
    ours, theirs = _words(submitted.text), _words(original.text)
    identical = submitted.pdf_digest == original.pdf_digest
    distance = 0 if identical else edit_distance(ours, theirs)
    restoration = 2.0 ** (-distance / HALF_LIFE)
    edit_term = min(1.0, math.sqrt(reference_size / edit_size)) if edit_size else 1.0
    total = len(ours) + len(theirs)
    similarity = 2 * lcs_length(ours, theirs) / total if total and not identical else 1.0
    return {
        "reward": 1.0 if identical else MOST_WITHOUT_IDENTITY * restoration * edit_term,
        "pdfIdentical": float(identical),
        "restoration": restoration,
        "editTerm": edit_term,
        "similarity": similarity,
        "pagesMatch": float(submitted.pages == original.pages),
    }


def _words(text: str) -> list[str]:
    return text.lower().split()
