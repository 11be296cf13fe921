"""What an answer is paid, and every part that it could be paid for."""

from __future__ import annotations

from dataclasses import dataclass

from lattice_env.errors import EpisodeError, MissingTool
from lattice_env.verifier.transcription import Parts, score
from lattice_env.verifier.verdict import InfraError

from .equivalence import NEITHER, Equivalence, bare, compare, is_padded
from .press import PRESS, hides
from .settings import CHARACTERS, EQUIVALENCE, RENDER, TIERED, Settings

MOST_CHARACTERS = 1_000_000
"""The longest answer that is judged; a longer one is refused, and the episode stays open."""
STRUCTURE_SHARE, CHARACTERS_SHARE = 0.3, 0.3
"""What an unequal answer can earn of a tiered reward: for its structure, and for its characters."""
DIGITS = 6
SAME, DIFFERENT, ANSWER_ALONE, TARGET_ALONE = "same", "different", "answer-unprinted", "target-unprinted"


@dataclass(frozen=True)
class Judgement:
    """A reward, and the parts behind it."""

    reward: float
    paid_by: str
    """The reward that paid: the one asked for, or `characters` where the target is none that can be compared."""
    characters: Parts
    equivalence: Equivalence | None
    """None where the converter is not installed."""
    printed: str = ""
    """What TeX prints, where it was asked: same, different, or which of the two does not print."""

    def metadata(self) -> dict[str, object]:
        """All parts, whichever pays."""
        compared = self.equivalence and self.equivalence.to_json()
        return {
            "paid_by": self.paid_by,
            "characters": self.characters.to_json(),
            "equivalence": compared,
            "printed": self.printed,
        }


def judge(answer: str, target: str, settings: Settings) -> Judgement:
    """The judgement of an answer under the settings' reward; MissingTool where that needs what is not installed.

    EpisodeError where TeX is asked and cannot answer now: the answer may be given again.
    """
    parts = score(answer, target, settings.knobs)
    try:
        found = _compared(answer, target, parts)
    except MissingTool:
        if settings.reward not in (CHARACTERS, RENDER):
            raise
        found = None
    if settings.reward == RENDER:
        printed = _printed(answer, target, parts)
        paid = parts.reward if printed == TARGET_ALONE else round(float(printed == SAME) * parts.length_factor, DIGITS)
        return Judgement(paid, CHARACTERS if printed == TARGET_ALONE else RENDER, parts, found, printed)
    reward, paid_by = _paid(parts, found, settings.reward)
    return Judgement(reward, paid_by, parts, found)


def _printed(answer: str, target: str, parts: Parts) -> str:
    """Whether both print the same pixels; an exact answer, and one that the guard leaves nothing, need no TeX."""
    if parts.exact_match:
        return SAME
    given, wanted = bare(answer) if parts.length_factor else "", bare(target)
    try:
        one, other = PRESS.pages([given, wanted])
    except InfraError as error:
        raise EpisodeError("cannot-print", str(error)) from error
    if not other:
        return TARGET_ALONE
    if not one:
        return ANSWER_ALONE
    return SAME if one == other and not hides(given, wanted) and not is_padded(given, wanted) else DIFFERENT


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
