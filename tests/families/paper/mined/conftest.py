"""Repositories made here, commit by commit, with everything that a history may hold."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from lattice_env.families.paper.mined.history import open_history

MIT = (
    "MIT License\n\nCopyright the authors\n\n"
    "Permission is hereby granted, free of charge, to any person obtaining a copy of this software.\n"
)
PAPER = r"""\documentclass{article}
\usepackage{graphicx}
\title{Otters \& herons}
\author{Nobody}
\begin{document}
\maketitle
\section{Water}
Otters \& herons share a river, which is \textbf{wide}, and neither of the two minds the other very much.
They eat fish and frogs, and the fish are \emph{small} where the river is shallow.
\section{Land}
On land the otter is slow, and the heron stands on \textit{one leg} for hours on end.
Nobody knows how long either of them can go on like that without any food at all.
\end{document}
"""
BUNDLES = Path(os.environ.get("LATTICE_CASES") or Path(__file__).parents[5] / "shared" / "cases") / "mining"


class Repository:
    """A repository under construction; the same steps give the same hashes."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *words):
        who = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in IDENTITY.items()}
        environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1", **who}
        line = ["git", "-C", str(self.folder), "-c", "commit.gpgsign=false", *words]
        return subprocess.run(line, env=environment, capture_output=True, text=True, check=True).stdout.strip()

    def commit(self, message, files=(), *, gone=()):
        """Write files, as text or bytes by path, and commit them; the commit's hash."""
        for path, content in dict(files).items():
            place = self.folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content if isinstance(content, bytes) else content.encode())
        for path in gone:
            (self.folder / path).unlink()
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")


IDENTITY = {"NAME": "A. Writer", "EMAIL": "writer@example.org", "DATE": "2020-01-01T00:00:00+0000"}


@pytest.fixture
def repository(tmp_path):
    """An empty repository."""
    if shutil.which("git") is None:
        pytest.skip("git is not on this machine")
    return Repository(tmp_path / "repo")


@pytest.fixture
def opened(tmp_path):
    """A function: the history of a repository, or of another folder."""

    def make(repo):
        scratch = tmp_path / f"scratch{len(list(tmp_path.iterdir()))}"
        scratch.mkdir()
        return open_history(getattr(repo, "folder", repo), scratch)

    return make


@pytest.fixture
def paper():
    """A small paper that builds."""
    return PAPER


@pytest.fixture
def mit():
    """A licence."""
    return MIT


@pytest.fixture
def bundle():
    """A function: a bundle of the cases, which are no part of this repository."""

    def find(name):
        path = BUNDLES / f"{name}.bundle"
        if not path.is_file():
            pytest.skip(f"the case {name} is not beside this repository")
        return path

    return find
