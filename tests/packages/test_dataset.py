"""A data set says where each task comes from, and no environment in it tells the answer."""

from __future__ import annotations

import hashlib
import json
import tomllib
from dataclasses import replace

import pytest

from lattice_env.errors import DataError, PackageError, UsageError
from lattice_env.packages import Pin, read_package, write_package
from lattice_env.packages.dataset import CANARY, read_rows, write_dataset
from lattice_env.packages.leaks import SHORTEST, find_leaks
from lattice_env.verifier.latex import decode

pytestmark = pytest.mark.tex


@pytest.fixture(scope="session")
def tasks(make, tmp_path_factory):
    """A folder with a task of each of two families, one of them of a paper that must not be given away."""
    folder = tmp_path_factory.mktemp("dataset") / "tasks"
    kept = make("otter", "TEX-CMD-TRP")
    held = replace(make("heron", "LAT-REF-SWP"), redistributable=False, licence="LicenseRef-private")
    write_package(kept, folder / kept.name, Pin("local", "", ("a" * 64,)))
    write_package(held, folder / held.name)
    (folder / "_rejected").mkdir()
    return folder


@pytest.fixture
def dataset(tasks, tmp_path):
    """A whole data set of both."""
    folder = tmp_path / "set"
    write_dataset(read_rows(tasks), tasks, folder, name="lattice/small", version="1.0", description="Two.")
    return folder


def test_a_data_set_has_every_task_with_its_provenance(dataset, tasks):
    rows = [json.loads(line) for line in (dataset / "provenance.jsonl").read_text("utf-8").splitlines()]
    assert [row["name"].partition("/")[2] for row in rows] == sorted(p.name for p in (dataset / "tasks").iterdir())
    assert {(row["seed"], row["licence"], row["redistributable"], row["toolchain"]) for row in rows} == {
        ("otter", "CC0-1.0", True, "local"),
        ("heron", "LicenseRef-private", False, "any"),
    }
    for folder in (dataset / "tasks").iterdir():
        assert read_package(folder).spec == read_package(tasks / folder.name).spec


def test_the_canary_stands_on_the_card_in_the_manifest_and_in_every_solution(dataset):
    for name in ("README.md", "dataset.toml"):
        assert CANARY in (dataset / name).read_text("utf-8")
    for folder in (dataset / "tasks").iterdir():
        assert CANARY in (folder / "solution" / "solve.sh").read_text("utf-8")
        assert CANARY in (folder / "tests" / "test.sh").read_text("utf-8")
        shown = [path for path in (folder / "environment").rglob("*") if path.is_file()]
        assert all(b"canary" not in path.read_bytes() for path in [*shown, folder / "instruction.md"])


def test_the_manifest_and_the_registry_name_every_task(dataset):
    body = tomllib.loads((dataset / "dataset.toml").read_text("utf-8"))
    (listed,) = json.loads((dataset / "registry.json").read_text("utf-8"))
    assert {task["name"] for task in body["tasks"]} == {task["name"] for task in listed["tasks"]}
    assert all((dataset / task["path"] / "task.toml").is_file() for task in listed["tasks"])


@pytest.mark.harbor
def test_harbor_reads_manifest_and_registry_and_finds_the_same_digests(dataset):
    pytest.importorskip("harbor")
    from harbor.models.dataset.manifest import DatasetManifest
    from harbor.models.registry import Registry
    from harbor.publisher.packager import Packager

    manifest = DatasetManifest.from_toml_file(dataset / "dataset.toml")
    for task in manifest.tasks:
        folder = dataset / "tasks" / task.short_name
        assert task.digest == f"sha256:{Packager.compute_content_hash(folder)[0]}"
    assert len(Registry.from_path(dataset / "registry.json").datasets[0].tasks) == manifest.task_count == 2


def test_the_same_tasks_give_the_same_bytes(dataset, tasks, tmp_path):
    again = tmp_path / "again"
    write_dataset(read_rows(tasks), tasks, again, name="lattice/small", version="1.0", description="Two.")
    for name in ("dataset.toml", "registry.json", "provenance.jsonl", "README.md"):
        assert (again / name).read_bytes() == (dataset / name).read_bytes()


@pytest.mark.parametrize("name", ["small", "Lattice/small", "lattice/", "a/b/c", "lattice/s m"])
def test_a_name_that_is_none_is_refused(tasks, tmp_path, name):
    with pytest.raises(UsageError, match="--name"):
        write_dataset(read_rows(tasks), tasks, tmp_path / "set", name=name, version="1", description="")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_without_tasks_and_filters_that_leave_none_are_refused(tasks, tmp_path, dataset):
    with pytest.raises(UsageError, match="no task folders"):
        read_rows(tmp_path)
    with pytest.raises(UsageError, match="no task is left"):
        write_dataset([], tasks, tmp_path / "other", name="lattice/small", version="1", description="")
    with pytest.raises(UsageError, match="is there already"):
        write_dataset(read_rows(tasks), tasks, dataset, name="lattice/small", version="1", description="")


def test_a_task_that_was_edited_is_refused(package):
    (package / "environment" / "workspace" / "main.tex").write_text("other", "utf-8")
    with pytest.raises(PackageError, match="not as the task was made"):
        read_rows(package.parent)


def test_a_task_without_provenance_is_refused(task, tmp_path, monkeypatch):
    write_package(task, tmp_path / "tasks" / task.name)
    path = tmp_path / "tasks" / task.name / "task.toml"
    path.write_text(path.read_text("utf-8").replace("licence = ", "license = "), "utf-8")
    whole = read_package
    monkeypatch.setattr("lattice_env.packages.harbor._differing", lambda _found, _wanted: [])
    assert whole(path.parent)
    with pytest.raises(DataError, match="licence"):
        read_rows(tmp_path / "tasks")


def line_of_the_solution(package):
    """A line of the repaired paper that the shipped one lacks."""
    before, after = (
        {*decode(files["main.tex"]).splitlines()} for files in (package.spec.initial, package.spec.original)
    )
    return next(line.strip() for line in after - before if len(line.strip()) >= SHORTEST)


def test_a_task_as_it_is_made_tells_nothing(make, tmp_path):
    for seed, code in (("otter", "TEX-CMD-TRP"), ("heron", "LAT-REF-SWP"), ("latin", "TEX-CMD-TRP")):
        write_package(make(seed, code), tmp_path / seed)
        assert find_leaks(read_package(tmp_path / seed)) == []


@pytest.mark.parametrize(
    ("place", "told", "said"),
    [
        ("environment/notes.txt", line_of_the_solution, "a line of the solution"),
        ("environment/workspace/old.bak", lambda p: f"\n  {line_of_the_solution(p)}\n", "a line of the solution"),
        (
            "environment/sums",
            lambda p: hashlib.md5(line_of_the_solution(p).encode()).hexdigest().upper(),  # noqa: S324 - as an author might
            "the digest of a line of the solution",
        ),
        (
            "environment/sums",
            lambda p: hashlib.sha256(p.spec.original["main.tex"]).hexdigest(),
            "the digest of main.tex as it was",
        ),
        ("environment/Dockerfile", lambda _p: "LABEL fault=TEX-CMD-TRP", "names TEX-CMD-TRP"),
        ("instruction.md", lambda _p: "The paper is otter.", "names otter"),
        ("instruction.md", lambda p: p.spec.task[:10], "names "),
        ("environment/workspace/.git/objects/ab", lambda _p: "x", "history of the paper"),
    ],
)
def test_what_tells_the_answer_is_named(package, place, told, said):
    read = read_package(package)
    path = package / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(told(read), "utf-8")
    leaks = find_leaks(read)
    assert [leak for leak in leaks if leak.startswith(place) and said in leak], leaks


def test_a_link_is_named(package):
    read = read_package(package)
    (package / "environment" / "link").symlink_to("/solution")
    assert find_leaks(read) == ["environment/link: a link"]
