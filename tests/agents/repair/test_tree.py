"""Missing packages: a real tlmgr in user mode, a repository made here, and nothing installed where it is not ours."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

from lattice_env.agents.repair import tree as module
from lattice_env.agents.repair.check import check_run
from lattice_env.agents.repair.failures import Failure
from lattice_env.agents.repair.log import Stop
from lattice_env.agents.repair.packages import Installed, missing_file
from lattice_env.agents.repair.tree import Tree, debian_package, init_tree, read_tree, recovery, tree_tools
from lattice_env.errors import UsageError
from lattice_env.verifier.toolchain import find_tool, toolchain

from .conftest import paper, trace_of
from .repository import make_repository, release_of, style

pytestmark = pytest.mark.tex

PACKAGES = {
    "lattalpha": style("lattalpha", "lattalphaword", "lattbeta"),
    "lattbeta": style("lattbeta", "lattbetaword"),
    "lattgamma": style("lattgamma", "lattgammaword"),
    "lattdelta": style("lattdelta", "lattdeltaword"),
    "lattepsilon": style("lattepsilon", "lattepsilonword"),
    "twinone": style("latttwin", "latttwinword"),
    "twintwo": {"tex/latex/twintwo/latttwin.sty": "\\ProvidesPackage{latttwin}\n"},
}


@pytest.fixture(scope="module")
def place():
    """A folder that builds see: not below /tmp."""
    with tempfile.TemporaryDirectory(prefix="lattice-test-", dir="/var/tmp") as folder:
        yield Path(folder)


@pytest.fixture(scope="module")
def repository(place):
    """A repository of a few packages."""
    tlmgr = find_tool("tlmgr")
    if tlmgr is None:
        if os.environ.get("CI") == "true":
            pytest.fail("tlmgr is not on this machine")
        pytest.skip("tlmgr is not on this machine")
    return make_repository(place / "repository", PACKAGES, release_of(tlmgr))


@pytest.fixture(scope="module")
def empty(place, repository):
    """A managed tree in which nothing is installed."""
    return init_tree(place / "empty", str(repository))


@pytest.fixture
def tree(place, empty, request):
    """A managed tree of one test's own."""
    made = init_tree(place / request.node.name[:40].replace("[", "-"), empty.repository)
    yield made
    shutil.rmtree(made.folder)


def managed(tree, **settings):
    """The settings of a run with this tree."""
    return {"tools": lambda: tree_tools(tree.folder), "recover": recovery(tree), "tree": tree.folder, **settings}


def missing(file):
    """The failure that names a file as missing."""
    message = f"LaTeX Error: File `{file}' not found."
    return Failure("missing-package", message, "a.tex", 1, "", Stop(message, "a.tex", 1), "install", "")


def loading(*names):
    """A paper that loads these packages."""
    return paper("Text.", "".join(f"\\usepackage{{{name}}}\n" for name in names))


def test_three_packages_one_of_them_a_chain_are_installed_and_the_run_holds(project, run, tree):
    folder = project({"a.tex": loading("lattalpha", "lattgamma")})
    result, evidence = run(folder, **managed(tree))
    assert (result.status, result.installs, result.edits, result.compiles) == ("success", 3, 0, 4)
    installed = [line["package"] for line in trace_of(evidence) if line["event"] == "install"]
    assert installed == ["lattalpha", "lattbeta", "lattgamma"]
    checked = check_run(evidence)
    assert (checked.faults, checked.compiled) == ((), 4)


def test_the_machine_s_own_lists_of_files_stay_as_they_are(place, repository):
    """Builds are pinned by them."""
    folders = [Path(folder) for folder in toolchain().trees]
    lists = {path: path.stat().st_mtime_ns for folder in folders for path in folder.glob("ls-R*")}
    assert lists
    made = init_tree(place / "lists", str(repository))
    assert isinstance(recovery(made)(missing("lattdelta.sty")), Installed)
    assert {path: path.stat().st_mtime_ns for folder in folders for path in folder.glob("ls-R*")} == lists


def test_a_fifth_package_is_refused(project, run, tree):
    names = ("lattalpha", "lattgamma", "lattdelta", "lattepsilon")
    result, _ = run(project({"a.tex": loading(*names)}), **managed(tree))
    assert (result.status, result.installs) == ("unresolved", 4)
    assert "cap of 4 packages" in result.reason
    assert "lattepsilon.sty" in result.last


def test_a_file_that_no_package_has_is_refused(empty):
    answer = recovery(empty)(missing("lattnothing.sty"))
    assert "no package" in answer.reason


def test_a_file_that_two_packages_have_is_refused(empty):
    answer = recovery(empty)(missing("latttwin.sty"))
    assert "2 packages (twinone, twintwo)" in answer.reason


def test_a_name_that_is_only_part_of_another_is_no_match(empty):
    assert "no package" in recovery(empty)(missing("alpha.sty")).reason


def test_a_name_with_magic_in_it_is_taken_as_it_stands(empty):
    assert "no package" in recovery(empty)(missing("latt.*.sty")).reason
    assert missing_file(missing("../../etc/x.sty")) == ""


def test_a_tree_that_is_not_ours_is_refused(tmp_path):
    (tmp_path / "tlpkg").mkdir()
    with pytest.raises(UsageError, match="nothing is installed there"):
        read_tree(tmp_path)


def test_a_folder_that_builds_do_not_see_is_refused(tmp_path):
    if tmp_path.parts[1] != "tmp":
        pytest.skip("this machine's temporary folder is not /tmp")
    with pytest.raises(UsageError, match="below /tmp"):
        init_tree(tmp_path / "tree")


def test_a_tree_is_not_made_over_another_folder(empty):
    with pytest.raises(UsageError, match="not empty"):
        init_tree(empty.folder)


def test_debian_knows_who_has_a_file():
    if find_tool("dpkg-query") is None:
        pytest.skip("this is no Debian")
    assert debian_package("booktabs.sty").startswith("texlive")


def fake(folder, text):
    """A tlmgr that does this."""
    program = folder / "tlmgr"
    program.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
    program.chmod(0o755)
    return str(program)


SEARCH = "case \"$*\" in *search*) printf 'lying:\\n\\ttex/latex/lying/lattlying.sty\\n';; esac"


def test_a_tlmgr_that_lies_is_found_out(empty, tmp_path):
    answer = recovery(empty, program=fake(tmp_path, SEARCH))(missing("lattlying.sty"))
    assert answer.reason == "tlmgr installed lying, and lattlying.sty is not in it"


def test_a_tlmgr_that_hangs_is_ended(empty, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "SECONDS", 1)
    answer = recovery(empty, program=fake(tmp_path, "sleep 600"))(missing("lattalpha.sty"))
    assert "did not end in 1 s" in answer.reason


def test_a_tlmgr_that_fails_says_why(tmp_path):
    broken = Tree(tmp_path, str(tmp_path / "nowhere"))
    answer = recovery(broken)(missing("lattalpha.sty"))
    assert not isinstance(answer, Installed)
    assert "tlmgr cannot search" in answer.reason
