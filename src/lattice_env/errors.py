"""The errors of this package; each knows the exit code that the command line ends with.

::

    LatticeError            1
    ├── UsageError          2   the command cannot be done as it was given
    │   └── EpisodeError        an agent's client asked for what cannot be done
    ├── MissingTool         3   the machine lacks a program
    └── DataError           4   a file or folder is not what it must be
        ├── SeedError           a seed does not load, or does not build
        │   └── UnprovedError   nothing that a recipe asks for can be proved
        ├── PackageError        a task package is not whole
        ├── RecordError         what was kept of an episode or a trial cannot be read
        ├── OperatorError       an operator broke its contract
        ├── DatasetError        a data set of pictures cannot be served, or a row of it
        ├── TemplateError       a section template is not lawful
        └── RecipeError         a saved recipe or trace is not of this version
"""


class LatticeError(Exception):
    """Any error that a user can mend; `hint` is the next step, if there is one."""

    exit_code = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class UsageError(LatticeError):
    """The command cannot be done as it was given."""

    exit_code = 2


class EpisodeError(UsageError):
    """An agent's client asked for what cannot be done; `code` says what, in words joined by hyphens."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


class MissingTool(LatticeError):  # noqa: N818 - named for what it says
    """The machine lacks a program that this needs."""

    exit_code = 3


class DataError(LatticeError):
    """A file or folder is not what it must be."""

    exit_code = 4


class SeedError(DataError):
    """A seed does not load, or does not build."""


class UnprovedError(SeedError):
    """No document of a recipe can be changed so that the task is proved; `tried` is how many changes were."""

    def __init__(self, message: str, *, hint: str = "", tried: int) -> None:
        super().__init__(message, hint=hint)
        self.tried = tried


class PackageError(DataError):
    """A task package is not whole, or not as it was made."""


class RecordError(DataError):
    """What was kept of an episode or a trial cannot be read, or cannot be counted with the rest."""


class OperatorError(DataError):
    """An operator broke its contract: its edit changes nothing, or cannot be undone."""


class DatasetError(DataError):
    """A data set of pictures and their LaTeX cannot be served, or a row of it is not whole."""


class TemplateError(DataError):
    """A section template is not lawful: the place, and what is wrong there."""


class RecipeError(DataError):
    """A saved recipe or trace is not of this version, or not what it was."""
