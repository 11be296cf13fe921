"""What an answer is paid, and every part that it could be paid for."""

from __future__ import annotations

from dataclasses import dataclass

from lattice_env.errors import MissingTool
from lattice_env.families.latex_ocr.scoring import Parts, score

from .equivalence import NEITHER, Equivalence, compare
from .settings import CHARACTERS, EQUIVALENCE, TIERED, Settings

MOST_CHARACTERS = 1_000_000
"""The longest answer that is judged; a longer one is refused, and the episode stays open."""
STRUCTURE_SHARE, CHARACTERS_SHARE = 0.3, 0.3
"""What an unequal answer can earn of a tiered reward: for its structure, and for its characters."""
DIGITS = 6


@dataclass(frozen=True)
class Judgement:
    """A reward, and the parts behind it."""

    reward: float
    paid_by: str
    """The reward that paid: the one asked for, or `characters` where the target is none that can be compared."""
    characters: Parts
    equivalence: Equivalence | None
    """None where the converter is not installed."""

    def metadata(self) -> dict[str, object]:
        """All parts, whichever pays."""
        compared = self.equivalence and self.equivalence.to_json()
        return {"paid_by": self.paid_by, "characters": self.characters.to_json(), "equivalence": compared}


def judge(answer: str, target: str, settings: Settings) -> Judgement:
    """The judgement of an answer under the settings' reward; MissingTool where that needs what is not installed."""
    parts = score(answer, target, settings.knobs)
    try:
        found = _compared(answer, target, parts)
    except MissingTool:
        if settings.reward != CHARACTERS:
            raise
        found = None
    reward, paid_by = _paid(parts, found, settings.reward)
    return Judgement(reward, paid_by, parts, found)


def _compared(answer: str, target: str, parts: Parts) -> Equivalence:
    """An answer that the length guard leaves nothing is not even parsed."""
    return compare(answer if parts.length_factor else "", target)


def _paid(parts: Parts, found: Equivalence | None, asked: str) -> tuple[float, str]:
    """A target that does not parse is paid by characters; an answer that does not, where its target does, is not."""
    if found is None or asked == CHARACTERS or (found.parsed in ("answer", NEITHER) and not parts.exact_match):
        return parts.reward, CHARACTERS
    equal = parts.exact_match or found.equal
    if asked == EQUIVALENCE:
        return round(float(equal) * parts.length_factor, DIGITS), EQUIVALENCE
    partial = STRUCTURE_SHARE * found.structure + CHARACTERS_SHARE * (1 - parts.char_error_rate)
    return round((1.0 if equal else partial) * parts.length_factor, DIGITS), TIERED
