"""What is defined where: read off the packages, classes and the kernel that a build has read."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path

from lattice_env.verifier.toolchain import toolchain
from lattice_env.verifier.words import PLAIN

_DEFINED = re.compile(
    r"\\(?:[egx]?def|let|chardef|mathchardef|newcommand|renewcommand|providecommand|DeclareRobustCommand"
    r"|DeclareMathSymbol|DeclareMathAccent|DeclareMathDelimiter|DeclareMathOperator|DeclareTextFontCommand"
    r"|(?:New|Renew|Provide|Declare)(?:Expandable)?DocumentCommand|newlength|newdimen|newskip|newcount|newif"
    r"|DeclareOldFontCommand|newrobustcmd|renewrobustcmd|newcites|DeclareCiteCommand|DeclareCiteCommandStar"
    r"|DeclareTextSymbolDefault|DeclareTextCommandDefault|newcolumntype|DeclareMathRadical|cs_new_protected:Npn"
    r"|cs_set_protected:Npn|NewCommandCopy|DeclareMathSizes|@xp\\[a-z]*def|long\\[a-z]*def)"
    r"\s*\*?\s*\{?\s*\\(?P<name>[A-Za-z@]+)"
)
_ENVIRONMENT = re.compile(
    r"\\(?:(?:re)?newenvironment|newtheorem|(?:New|Renew|Declare)(?:Document)?Environment|newenvironmentx|newfloat"
    r"|specialcomment|lstnewenvironment|DefineVerbatimEnvironment)\s*\*?\s*\{(?P<name>[A-Za-z]+\*?)\}"
)
_BY_END = re.compile(r"\\(?:def|let)\s*\\end(?P<name>[A-Za-z]+\*?)(?![A-Za-z@])")

MOST_READ = 8 << 20
KERNEL = ("latex.ltx", "fontmath.ltx")
_WANTED = (".sty", ".cls", ".bst", ".ldf")


def defined(code: str) -> Iterator[str]:
    """The control words that some code defines."""
    return (match["name"] for match in _DEFINED.finditer(code))


def defined_environments(code: str) -> Iterator[str]:
    """The environments that some code defines."""
    for pattern in (_ENVIRONMENT, _BY_END):
        for match in pattern.finditer(code):
            yield match["name"]


@functools.lru_cache(maxsize=512)
def _read(path: str) -> str:
    try:
        with Path(path).open("rb") as file:
            return file.read(MOST_READ).decode("latin-1")
    except OSError:
        return ""


@functools.cache
def kernel() -> tuple[str, ...]:
    """The files of LaTeX's own definitions."""
    places = (Path(tree) / "tex" / "latex" / "base" / name for tree in toolchain().trees for name in KERNEL)
    return tuple(str(place) for place in places if place.is_file())


def _sources(inputs: tuple[str, ...]) -> list[str]:
    return [
        *kernel(),
        *(path for path in inputs if path.endswith((".sty", ".cls", ".tex", ".def", ".clo", ".code.tex"))),
    ]


@functools.lru_cache(maxsize=64)
def commands(inputs: tuple[str, ...]) -> frozenset[str]:
    """The control words that these files, the kernel and every document know."""
    plain = {word[1:] for word in PLAIN if word[1:].isalpha()}
    return frozenset(plain.union(*(_words(path) for path in _sources(inputs))))


@functools.lru_cache(maxsize=1024)
def _words(path: str) -> frozenset[str]:
    return frozenset(name for name in defined(_read(path)) if "@" not in name)


@functools.lru_cache(maxsize=64)
def environments(inputs: tuple[str, ...]) -> frozenset[str]:
    """The environments that these files and the kernel define."""
    found = (defined_environments(_read(path)) for path in _sources(inputs))
    return frozenset(name for names in found for name in names if "@" not in name)


@functools.cache
def tree_files(ending: str) -> dict[str, str]:
    """Every file of TeX's trees with this ending, by name without it; the first tree's wins."""
    found: dict[str, str] = {}
    for tree in toolchain().trees:
        for folder, name in _listed(tree):
            if name.endswith(ending):
                found.setdefault(name.removesuffix(ending), f"{folder}/{name}")
    return found


@functools.cache
def _listed(tree: str) -> tuple[tuple[str, str], ...]:
    """The sources of a tree, as (folder, name): from its list of files, or by looking where it has none."""
    listing = Path(tree) / "ls-R"
    if not listing.is_file():
        paths = (path for path in Path(tree).rglob("*") if path.name.endswith(_WANTED))
        return tuple((str(path.parent), path.name) for path in sorted(paths))
    found: list[tuple[str, str]] = []
    folder = tree
    for line in listing.read_text("utf-8", "replace").split("\n"):
        if line.startswith("./") and line.endswith(":"):
            folder = f"{tree}/{line[2:-1]}"
        elif line.endswith(_WANTED):
            found.append((folder, line))
    return tuple(found)


@functools.cache
def listing_languages() -> dict[str, str]:
    """The languages that listings knows, as it writes them, by their names in lower case."""
    found: dict[str, str] = {}
    for number in ("1", "2", "3"):
        text = _read(tree_files(".sty").get(f"lstlang{number}", ""))
        for name in re.findall(r"\\lst@definelanguage\s*(?:\[[^\]]*\])?\{([^{}]+)\}", text):
            found[name.lower()] = name
    return found


def package_options(package: str) -> list[str]:
    """The options that a package of TeX's trees declares one by one."""
    text = _read(tree_files(".sty").get(package, ""))
    return re.findall(r"\\Declare(?:Void|Bool|String)?Option(?:X|Beamer)?\*?\s*(?:<[^>]*>)?\{([^{}]+)\}", text)


def package_defines(package: str, name: str) -> bool:
    """Whether a package of TeX's trees, or what is loaded with it by name, defines a command or an environment."""
    text = _read(tree_files(".sty").get(package, ""))
    lists = re.findall(r"\\RequirePackage\s*(?:\[[^\]]*\])?\s*\{([\w\s,-]+)\}", text)
    loaded = [name for names in lists for name in re.findall(r"[\w-]+", names)]
    texts = [text, *(_read(tree_files(".sty").get(other, "")) for other in loaded)]
    return any(name in set(defined(part)) or name in set(defined_environments(part)) for part in texts)
