"""One client's session: reset shows a picture, step judges an answer; nothing is told before its time."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from lattice_env.errors import EpisodeError
from lattice_env.keys import Choices

from .judge import MOST_CHARACTERS, Judgement, judge
from .settings import STREAM, Settings
from .source import Row, Source, Split
from .tasks import Catalogue, task_id

DIGITS = 6


@dataclass(frozen=True)
class Place:
    """Where a session stands in its data."""

    split: str
    index: int
    """From 0; of a stream that is exhausted, the number of rows that were served."""
    total: int = -1
    """Rows of a stream; -1 where unknown, and in materialize mode."""
    remaining: int = -1
    pct_done: float = 0.0
    """The share of a stream that was consumed, this row included; 0 where its size is unknown."""
    exhausted: bool = False

    @property
    def task_id(self) -> str:
        """The name of the task; `<split>-end` behind the last."""
        return f"{self.split}-end" if self.exhausted else task_id(self.split, self.index)


@dataclass(frozen=True)
class Outcome:
    """An answer and its judgement; `target` is empty where the settings do not reveal it."""

    place: Place
    answer: str
    target: str
    judgement: Judgement


@dataclass
class Pass:
    """One walk of a session through a split of a stream."""

    split: Split
    rows: Iterator[Callable[[], Row]]
    consumed: int = 0


@dataclass
class Session:
    """What one client has before it; sessions share the source and nothing else."""

    source: Source
    settings: Settings
    _pass: Pass | None = None
    _row: Row | None = None
    _place: Place | None = None
    _open: bool = False
    catalogue: Catalogue = field(init=False)

    def __post_init__(self) -> None:
        self.catalogue = Catalogue(self.source, self.settings)

    @property
    def place(self) -> Place | None:
        """Where the session stands; None before the first reset."""
        return self._place

    @property
    def target(self) -> str:
        """The right answer to the picture shown last: for checks on the server's side, never for a client."""
        return self._row.latex if self._row else ""

    def reset(self, *, split: object = None, index: object = None, seed: object = None) -> tuple[Place, bytes]:
        """Begin an episode: its place and its picture, which is empty behind the end of a stream.

        In materialize mode the row is that of `index`, else the one that `seed` names, else any. A stream gives the
        next row, begins again after its end, and refuses an index. A reset that fails leaves no episode open.
        """
        self._open = False
        found = self.catalogue.split(self._first_split() if split is None else split)
        if self.settings.mode == STREAM:
            return self._next(found, index)
        number = self._number(found, index, seed)
        self._begin(found.row(number), Place(found.name, number))
        return self._shown()

    def _first_split(self) -> str:
        for name in self.source.splits:
            return name
        message = "the data set has no rows"
        raise EpisodeError("empty-split", message)

    def _number(self, split: Split, index: object, seed: object) -> int:
        if not split.size:
            message = f"the split {split.name} has no rows"
            raise EpisodeError("empty-split", message)
        if index is not None:
            return self.catalogue.check_index(split, index)
        if seed is None:
            return secrets.randbelow(split.size)
        if not isinstance(seed, int):
            message = f"a seed must be a whole number, not {seed!r}"
            raise EpisodeError("bad-seed", message)
        return Choices("latex-ocr", "reset", split.name, str(seed)).below(split.size)

    def _next(self, split: Split, index: object) -> tuple[Place, bytes]:
        if index is not None:
            message = "a stream has no rows by number: reset without an index, or serve with LATEX_OCR_MODE=materialize"
            raise EpisodeError("stream-index", message)
        if self._pass is None or self._pass.split.name != split.name:
            rows = split.rows(seed=self.settings.seed, buffer=self.settings.shuffle_buffer)
            self._pass = Pass(split, rows)
        row = next(self._pass.rows, None)
        if row is None:
            consumed, self._pass = self._pass.consumed, None
            self._row, self._place = None, _place(split, consumed, consumed, exhausted=True)
            return self._place, b""
        self._pass.consumed += 1
        self._begin(row(), _place(split, self._pass.consumed - 1, self._pass.consumed))
        return self._shown()

    def _begin(self, row: Row, place: Place) -> None:
        self._row, self._place, self._open = row, place, True

    def _shown(self) -> tuple[Place, bytes]:
        assert self._place is not None and self._row is not None  # noqa: S101, PT018 - just begun
        return self._place, self._row.picture

    def step(self, answer: str) -> Outcome:
        """Judge the answer, once; EpisodeError where no episode is open, or for one too long to be judged."""
        if self._row is None or self._place is None or not self._open:
            again = "the episode is over" if self._row else "there is no episode"
            raise EpisodeError("not-reset", f"{again}: reset first")
        if len(answer) > MOST_CHARACTERS:
            message = f"an answer may have {MOST_CHARACTERS} characters, not {len(answer)}"
            raise EpisodeError("answer-too-long", message)
        row, place, self._open = self._row, self._place, False
        try:
            judgement = judge(answer, row.latex, self.settings)
        except EpisodeError:
            self._open = True
            raise
        return Outcome(place, answer, row.latex if self.settings.reveal_target else "", judgement)


def _place(split: Split, index: int, consumed: int, *, exhausted: bool = False) -> Place:
    """A place in a stream of which `consumed` rows were served; behind its end nothing remains."""
    place = Place(split.name, index, total=split.size, exhausted=exhausted)
    if exhausted:
        return replace(place, remaining=0, pct_done=1.0)
    if split.size < 0:
        return place
    return replace(place, remaining=split.size - consumed, pct_done=round(consumed / split.size, DIGITS))
