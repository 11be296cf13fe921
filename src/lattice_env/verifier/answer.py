"""An answer as it is judged: without its wrapping, and with its tokens joined, not glued."""

from __future__ import annotations

import re

_FENCE = "```"
_LANGUAGE = re.compile(r"[A-Za-z0-9_+-]{0,20}[ \t]*\r?\n|(?:la)?tex[ \t]")
"""What may stand behind an opening fence: a word, if the line ends there, or the language's own name."""
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\S", re.DOTALL)
_STEP = re.compile(r"\\.|[{}$]", re.DOTALL)
_PIECE = re.compile(r"\\[A-Za-z]+(?: (?=[A-Za-z]))?|\\.?|[^\s\\]+")
"""What is left of a text whose white space is single spaces: a control word with the space that ends it, or a run."""


def unwrap(text: str) -> str:
    """`text` without one code fence, and then one pair of `$` or `$$`, that stand around all of it.

    A fence in the middle of an essay, dollars around a part and an escaped `\\$` at the end stay: none of
    them says that what is inside is the whole answer.
    """
    text = _unfence(_stripped(text))
    for mark in ("$$", "$"):
        if len(text) > 2 * len(mark) and text.startswith(mark) and text.endswith(mark):
            inside = text[len(mark) : -len(mark)]
            return _stripped(inside) if _holds_no_dollar(inside) else text
    return text


def _unfence(text: str) -> str:
    inside = text[len(_FENCE) : -len(_FENCE)]
    whole = len(text) > 2 * len(_FENCE) and text.startswith(_FENCE) and text.endswith(_FENCE)
    if not whole or _FENCE in inside:
        return text
    tag = _LANGUAGE.match(inside)
    return _stripped(inside[tag.end() if tag else 0 :])


def _holds_no_dollar(inside: str) -> bool:
    """Whether the dollars around `inside` belong together: none between them but in braces, none escaped."""
    depth, position = 0, 0
    while match := _STEP.search(inside, position):
        depth += (match[0] == "{") - (match[0] == "}")
        if match[0] == "$" and depth <= 0:
            return False
        position = match.end()
    return not _ends_in_escape(inside)


def _ends_in_escape(text: str) -> bool:
    return (len(text) - len(text.rstrip("\\"))) % 2 == 1


def _stripped(text: str) -> str:
    """`text` without white space around it, but for the space of a control space at its end."""
    inside = text.strip()
    return inside + " " if _ends_in_escape(inside) and len(text.rstrip()) < len(text) else inside


def tokens(text: str) -> list[str]:
    """The TeX tokens of `text`: control words, control symbols and characters; white space is none.

    A control space (a backslash and any white space) is one token whatever space it was written with.
    """
    return ["\\ " if len(token) == len("\\ ") and token[1].isspace() else token for token in _TOKEN.findall(text)]


def joined(text: str) -> str:
    """`text` without its white space, but for the space that ends a control word before a letter.

    So `\\alpha x` and `\\alpha  x` are one answer, and `\\alphax`, another command, is not it.
    """
    spaced = " ".join(text.split()) + text[-1:].isspace() * " "
    return "".join(_PIECE.findall(spaced))


def join(found: list[str]) -> str:
    """The shortest text that has these tokens; `joined`, a token at a time."""
    parts: list[str] = []
    word = False
    for token in found:
        letter = token[0].isascii() and token[0].isalpha()
        parts.append(f" {token}" if word and letter else token)
        word = len(token) > 1 and token[1].isascii() and token[1].isalpha()
    return "".join(parts)


def printed_length(text: str) -> int:
    """The characters of `text`, each run of white space counted as one."""
    return len(" ".join(text.split()))


def without_space(text: str) -> str:
    """`text` without any white space."""
    return "".join(text.split())
