"""The tasks of a source, as clients may list them: numbers and names, never a target."""

from __future__ import annotations

from dataclasses import dataclass

from lattice_env.errors import EpisodeError

from .settings import STREAM, Settings
from .source import Source, Split

TaskRow = dict[str, str | int | bool]


@dataclass(frozen=True)
class Catalogue:
    """What can be asked about a source without playing."""

    source: Source
    settings: Settings

    def split(self, name: object) -> Split:
        """The split of that name; EpisodeError for one that is not served."""
        if not isinstance(name, str) or name not in self.source.splits:
            message = f"no split {name!r}; served are {', '.join(self.source.splits)}"
            raise EpisodeError("unknown-split", message)
        return self.source.splits[name]

    def check_index(self, split: Split, index: object) -> int:
        """`index`, if it is the number of a row; EpisodeError if not."""
        if not isinstance(index, int) or isinstance(index, bool):
            message = f"an index must be a whole number, not {index!r}"
            raise EpisodeError("bad-index", message)
        if index < 0 or 0 <= split.size <= index:
            message = f"no row {index} in {split.name}, which has {split.size if split.size >= 0 else 'no negative'}"
            raise EpisodeError("bad-index", message)
        return index

    def task(self, name: object, index: object) -> TaskRow:
        """One task of a split."""
        split = self.split(name)
        return self._row(split.name, self.check_index(split, index))

    def task_range(self, name: object, start: int | None, stop: int | None) -> list[TaskRow]:
        """The tasks of a slice, as Python slices; EpisodeError for more than a stream may list."""
        split = self.split(name)
        if split.size < 0 and (stop is None or stop < 0 or (start or 0) < 0):
            message = f"the size of {split.name} is not known: name a start and a stop, neither negative"
            raise EpisodeError("bad-range", message)
        numbers = range(*slice(start, stop).indices(split.size if split.size >= 0 else stop or 0))
        cap = self.settings.stream_range_cap
        if self.settings.mode == STREAM and len(numbers) > cap:
            message = f"{len(numbers)} tasks asked for, {cap} at most in one range of a stream"
            raise EpisodeError("range-too-long", message)
        return [self._row(split.name, index) for index in numbers]

    def _row(self, split: str, index: int) -> TaskRow:
        row: TaskRow = {"id": task_id(split, index), "index": index, "split": split}
        return row | {"sequential": True} if self.settings.mode == STREAM else row


def task_id(split: str, index: int) -> str:
    """The name of a task."""
    return f"{split}-{index}"
