"""Whether two formulas print the same pixels: by the pinned TeX in its sandbox, many to a document, each once.

An answer is anybody's LaTeX. What defines, loops, reads, writes, draws or leaves its formula is not printed at all; the
rest runs in the verifier's sandbox, and a formula that does not print costs its batch a few builds and nobody a page.
"""

from __future__ import annotations

import re
import time
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Lock

from lattice_env.errors import EpisodeError
from lattice_env.verifier.answer import tokens
from lattice_env.verifier.store import digest

from .corpus import Formula
from .mathml import UNSEEN
from .render import BATCH, print_pages

LONGEST = 4000
"""Characters of the longest formula that is printed."""
DEEPEST = 60
"""Groups in each other."""
WINDOW = 0.02
"""Seconds that a batch waits for more."""
MOST_WAITING, MOST_KEPT = 512, 8192
FONT, POINTS = "cm", 12

BLOCKS = frozenset(
    "aligned alignedat gathered split cases dcases rcases matrix pmatrix bmatrix Bmatrix vmatrix Vmatrix smallmatrix"
    " array subarray matrix* pmatrix* bmatrix* vmatrix* multlined".split()
)
"""Environments that stand inside a formula."""
REFUSED = UNSEEN | frozenset(
    r"\global \long \outer \protected \aftergroup \afterassignment \loop \repeat \write \openin \openout \read"
    r" \readline \closein \closeout \immediate \special \output \shipout \message \errmessage \endinput \scantokens"
    r" \everymath \everydisplay \uppercase \lowercase \endcsname \jobname \meaning \string \noexpand \the \count"
    r" \dimen \skip \toks \advance \multiply \divide \mathcode \delcode \lccode \uccode \sfcode \hyphenation"
    r" \newcount \newdimen \newbox \setbox \box \copy \unhbox \unvbox \vbox \vtop \halign \valign \setlength"
    r" \addtolength \setcounter \addtocounter \stepcounter \usepackage \documentclass \includegraphics \includeonly"
    r" \pagecolor \vskip \vspace \newpage \clearpage \pagebreak \thispagestyle \footnote \marginpar \savebox \usebox"
    r" \fontsize \selectfont".split()
)
"""Commands of which none is a transcription's: they define, loop, read, write, or leave the formula."""
FAMILIES = (r"\pdf", r"\lua", r"\if", r"\Preview", r"\@")
"""How others of them begin."""
HIDING = frozenset(
    r"\rule \vrule \hrule \color \textcolor \colorbox \fcolorbox \lap \llap \rlap \mathllap \mathrlap \mathclap \smash"
    r" \raisebox \raise \lower \moveleft \moveright \kern \mkern \hskip \hspace \mskip \mspace \makebox \parbox"
    r" \phantom \hphantom \vphantom \hbox \mbox".split()
)
"""Commands that paint, hide or shift: an answer may have those that its target has."""

_BLOCK = re.compile(r"\\(?:begin|end)\s*\{([^{}]*)\}")


def is_printable(latex: str) -> bool:
    """Whether a formula may be printed: it keeps to itself, and its braces and environments are closed."""
    found = tokens(latex)
    if len(latex) > LONGEST or not REFUSED.isdisjoint(found) or "%" in found or "^^" in latex or "\0" in latex:
        return False
    if any(token.startswith(FAMILIES) for token in set(found) - {r"\iff"}):
        return False
    return _is_closed(found) and _is_nested(latex, found.count(r"\begin") + found.count(r"\end"))


def hides(answer: str, target: str) -> bool:
    """Whether an answer could print its pixels by paint and overlay, which its target does not."""
    return not HIDING & set(tokens(answer)) <= set(tokens(target))


def _is_closed(found: Sequence[str]) -> bool:
    """Whether no group is left that was not entered, and no dollar ends the formula."""
    depth = 0
    for token in found:
        depth += (token == "{") - (token == "}")  # noqa: S105 - braces are no passwords
        if not 0 <= depth <= DEEPEST or (token == "$" and not depth) or token in (r"\]", r"\)", r"\[", r"\("):  # noqa: S105
            return False
    return depth == 0


def _is_nested(latex: str, count: int) -> bool:
    """Whether every environment is one of a formula, and all end in the order in which they begin."""
    found = list(_BLOCK.finditer(latex))
    if len(found) != count:
        return False
    stack: list[str] = []
    for match in found:
        if match[0].startswith(r"\begin"):
            stack.append(match[1])
        elif not stack or stack.pop() != match[1]:
            return False
        if match[1] not in BLOCKS:
            return False
    return not stack


@dataclass
class Press:
    """Prints formulas for all sessions of a process; whoever comes while one waits goes into the same document."""

    _lock: Lock = field(default_factory=Lock)
    _waiting: OrderedDict[str, Future[str]] = field(default_factory=OrderedDict[str, "Future[str]"])
    _kept: OrderedDict[str, str] = field(default_factory=OrderedDict[str, str])
    _busy: bool = False
    documents: int = 0
    """Batches that were printed."""

    def pages(self, formulas: Iterable[str]) -> list[str]:
        """A digest of each formula's pixels; empty for one that may not be printed, or that TeX does not print.

        Raises InfraError where this machine lacks TeX or is too busy, EpisodeError where too many are waiting.
        """
        wanted = [latex if is_printable(latex) else "" for latex in formulas]
        with self._lock:
            futures = {latex: self._future(latex) for latex in wanted if latex}
            leads = not self._busy and bool(self._waiting)
            self._busy = self._busy or leads
        if leads:
            time.sleep(WINDOW)
            self._work()
        return [futures[latex].result() if latex else "" for latex in wanted]

    def _future(self, latex: str) -> Future[str]:
        """What a formula will have printed; the lock is held."""
        known = self._kept.get(latex)
        if known is not None:
            self._kept.move_to_end(latex)
            done = Future[str]()
            done.set_result(known)
            return done
        if latex not in self._waiting:
            if len(self._waiting) >= MOST_WAITING:
                message = f"{MOST_WAITING} formulas wait to be printed: answer again later"
                raise EpisodeError("press-busy", message)
            self._waiting[latex] = Future()
        return self._waiting[latex]

    def _work(self) -> None:
        """Print batch after batch until nothing waits."""
        while True:
            with self._lock:
                batch = dict(list(self._waiting.items())[:BATCH])
                self._busy = bool(batch)
            if not batch:
                return
            try:
                pages = print_pages([Formula(latex, "answer", FONT, POINTS) for latex in batch])
                told: Sequence[str] | Exception = [digest({"page": page}) if page else "" for page in pages]
            except Exception as error:  # noqa: BLE001 - it is raised again, by everyone who waits
                told = error
            self.documents += 1
            self._tell(batch, told)

    def _tell(self, batch: dict[str, Future[str]], told: Sequence[str] | Exception) -> None:
        with self._lock:
            for number, (latex, future) in enumerate(batch.items()):
                del self._waiting[latex]
                if isinstance(told, Exception):
                    future.set_exception(told)
                    continue
                future.set_result(told[number])
                self._kept[latex] = told[number]
                if len(self._kept) > MOST_KEPT:
                    self._kept.popitem(last=False)


PRESS = Press()
"""This process's press."""
