"""What is read of a clone, and that nothing of it is run."""

from __future__ import annotations

import subprocess

import pytest

from lattice_env.errors import DataError, UsageError
from lattice_env.families.paper.mined.history import open_history


def test_only_commits_with_one_parent_are_steps(repository, opened, paper):
    first = repository.commit("paper", {"main.tex": paper})
    second = repository.commit("edit", {"main.tex": paper + "%\n"})
    repository.git("checkout", "--quiet", "-b", "side", first)
    side = repository.commit("side", {"other.tex": "x\n"})
    repository.git("checkout", "--quiet", "main")
    repository.git("merge", "--quiet", "--no-ff", "-m", "merge", "side")
    steps = {step.commit: step for step in opened(repository).steps()}
    assert set(steps) == {second, side}
    assert steps[second].parent == first
    assert [path for path, *_ in steps[second].modified] == ["main.tex"]
    assert steps[side].modified == ()


def test_renames_links_and_submodules_are_no_modified_files(repository, opened, paper):
    first = repository.commit("paper", {"main.tex": paper})
    repository.git("mv", "main.tex", "paper.tex")
    repository.commit("rename and edit", {"paper.tex": paper + "%\n"})
    (repository.folder / "link.tex").symlink_to("/etc/passwd")
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{first},sub")
    repository.commit("link")
    history = opened(repository)
    assert [step.modified for step in history.steps()] == [(), ()]
    assert [entry.path for entry in history.tree(history.tips[0])] == ["paper.tex"]


def test_names_of_files_are_whatever_they_are(repository, opened):
    odd = ["a b.tex", "ü.tex", "line\nbreak.tex", "-n.tex"]
    repository.commit("odd", dict.fromkeys(odd, "x\n"))
    repository.commit("edit", dict.fromkeys(odd, "y\n"))
    (step,) = opened(repository).steps()
    assert sorted(path for path, *_ in step.modified) == sorted(odd)


def test_a_shallow_clone_ends_where_it_ends(repository, opened, paper, tmp_path):
    for number in range(4):
        repository.commit(f"{number}", {"main.tex": paper + "%\n" * number})
    clone = tmp_path / "clone"
    words = ["git", "clone", "--quiet", "--depth", "2", f"file://{repository.folder}", str(clone)]
    subprocess.run(words, check=True, capture_output=True)
    assert len(list(opened(repository).steps())) == 3
    assert len(list(opened(clone).steps())) == 1


@pytest.mark.parametrize("kind", ["bare", "worktree", "bundle", "packed"])
def test_every_form_of_a_clone_has_the_same_steps(kind, repository, opened, paper, tmp_path):
    repository.commit("paper", {"main.tex": paper})
    repository.commit("edit", {"main.tex": paper + "%\n"})
    wanted = list(opened(repository).steps())
    other = tmp_path / f"other.{kind}"
    if kind == "bare":
        repository.git("clone", "--quiet", "--bare", str(repository.folder), str(other))
    elif kind == "worktree":
        repository.git("worktree", "add", "--quiet", str(other), "-b", "tree")
    elif kind == "bundle":
        repository.git("bundle", "create", "--quiet", str(other), "--all")
    else:
        repository.git("gc", "--quiet")
        repository.git("pack-refs", "--all")
        other = repository.folder
    assert list(opened(other).steps()) == wanted


def test_nothing_of_a_hostile_repository_is_run(repository, opened, paper, tmp_path):
    marker = tmp_path / "was-run"
    repository.commit("paper", {"main.tex": paper, ".gitattributes": "*.tex filter=evil diff=evil merge=evil\n"})
    repository.commit("edit", {"main.tex": paper + "%\n"})
    config = repository.folder / ".git" / "config"
    run = f"touch {marker}"
    settings = {
        "core": ("fsmonitor", "sshCommand", "pager", "alternateRefsCommand"),
        'filter "evil"': ("smudge", "clean", "process"),
        'diff "evil"': ("textconv", "command"),
        "diff": ("external",),
        "uploadpack": ("packObjectsHook",),
    }
    with config.open("a", encoding="utf-8") as file:
        for section, keys in settings.items():
            file.write(f"[{section}]\n" + "".join(f'\t{key} = "{run}"\n' for key in keys))
        file.write(f'[extensions]\n\tpartialClone = origin\n[remote "origin"]\n\turl = ext::{run}\n\tpromisor = true\n')
    for hook in ("post-checkout", "post-index-change", "reference-transaction", "fsmonitor-watchman"):
        place = repository.folder / ".git" / "hooks" / hook
        place.parent.mkdir(exist_ok=True)
        place.write_text(f"#!/bin/sh\n{run}\n", "utf-8")
        place.chmod(0o755)
    history = opened(repository)
    (step,) = history.steps()
    history.read([blob for _, *pair in step.modified for blob in pair])
    history.author(step.commit)
    assert history.tree(step.commit)
    assert not marker.exists()


def test_a_repository_is_only_read(repository, opened, paper):
    repository.commit("paper", {"main.tex": paper})
    before = {path: path.read_bytes() for path in repository.folder.rglob("*") if path.is_file()}
    list(opened(repository).steps())
    assert {path: path.read_bytes() for path in repository.folder.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("https://name:secret@example.org/paper.git", "https://example.org/paper.git"),
        ("/home/somebody/paper", "repo"),
        ("file:///home/somebody/paper", "repo"),
    ],
)
def test_where_it_came_from_is_told_without_secrets(url, told, repository, opened, paper):
    repository.commit("paper", {"main.tex": paper})
    repository.git("remote", "add", "origin", url)
    assert opened(repository).source == told


@pytest.mark.parametrize("place", ["https://example.org/paper.git", "git@example.org:paper.git", "ssh://example.org/p"])
def test_what_is_not_here_is_refused(place, opened, tmp_path):
    with pytest.raises(UsageError, match=r"only local clones|no such folder"):
        open_history(place, tmp_path)


def test_what_is_no_repository_is_refused(tmp_path, opened, repository):
    (tmp_path / "file.txt").write_text("x", "utf-8")
    with pytest.raises(UsageError, match="neither a clone nor a bundle"):
        opened(tmp_path / "file.txt")
    (tmp_path / "folder").mkdir()
    with pytest.raises(UsageError, match="not a git repository"):
        opened(tmp_path / "folder")
    with pytest.raises(DataError, match="no commits"):
        opened(repository)


def test_an_object_that_a_clone_lacks_is_named(repository, opened, paper):
    repository.commit("paper", {"main.tex": paper})
    history = opened(repository)
    with pytest.raises(DataError, match="0000 is not in this clone"):
        history.read(["0" * 40])
