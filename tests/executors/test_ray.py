"""Ray: a real cluster of two nodes on this machine, one of which may be lost. Skipped where Ray is not installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lattice_env.errors import LatticeError, SeedError
from lattice_env.executors import in_order, open_executor
from lattice_env.executors.ray import NICENESS
from lattice_env.families.doc_edit.recipe import Knobs
from lattice_env.generate import generate, make_document_plan

pytestmark = pytest.mark.slow

pytest.importorskip("ray", reason="Ray is not installed here: pip install 'lattice-env[ray]'")

from ray.cluster_utils import Cluster  # noqa: E402 - after the skip

PAPERS = Path(__file__).parents[1] / "seeds" / "papers"
KNOBS = Knobs(num_examples=12, seed="ray", levels=("file",))


@pytest.fixture(scope="module")
def cluster():
    """A cluster of two nodes of one processor each, whose workers find this folder's work."""
    os.environ["RAY_raylet_start_wait_time_s"] = "300"  # noqa: SIM112 - Ray's spelling; a busy machine is slow
    os.environ[NICENESS] = "0"
    before = os.environ.get("PYTHONPATH", "")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parent), before])
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    made.add_node(num_cpus=1)
    made.wait_for_nodes()
    yield made
    made.shutdown()
    os.environ["PYTHONPATH"] = before


def fill(folder, plan, executor, **options):
    with open_executor(executor, jobs=2, **options) as workers:
        return generate(plan, folder, store=None, executor=workers, report=lambda *_: None)


def test_two_nodes_make_the_root_of_one_process(cluster, tmp_path):
    plan = make_document_plan(KNOBS)
    with open_executor("ray", jobs=1, address=cluster.address) as workers:
        assert workers.workers == 2
        found = generate(plan, tmp_path / "ray", store=None, executor=workers, report=lambda *_: None)
    assert found.root == fill(tmp_path / "serial", plan, "serial").root


def test_an_error_on_a_node_is_raised_here(cluster):
    sys.path.insert(0, str(Path(__file__).parent))
    import works

    with open_executor("ray", jobs=1, address=cluster.address) as workers:
        assert list(in_order(workers, works.double, ((n,) for n in range(9)))) == [2 * n for n in range(9)]
        with pytest.raises(SeedError, match="the seed is bad"):
            workers.submit(works.fail).result()


def test_a_node_that_is_lost_loses_what_it_had_under_way_and_nothing_else(cluster, tmp_path):
    """A third node is killed in the middle of a run, as a machine that loses its power."""
    lost = cluster.add_node(num_cpus=2)
    cluster.wait_for_nodes()
    plan = make_document_plan(KNOBS)

    def report(row, done, total):
        if done == 2:
            cluster.remove_node(lost, allow_graceful=False)

    with open_executor("ray", jobs=1, address=cluster.address) as workers:
        assert workers.workers == 4
        found = generate(plan, tmp_path / "ray", store=None, executor=workers, report=report)
    assert found.root == fill(tmp_path / "serial", plan, "serial").root


def test_no_cluster_is_an_error_that_names_the_address():
    with pytest.raises(LatticeError, match=r"127\.0\.0\.1:1"), open_executor("ray", jobs=1, address="127.0.0.1:1"):
        pass


@pytest.mark.tex
def test_serial_processes_shards_and_ray_make_one_root(cluster, tmp_path):
    """The promise of the whole: papers, through the command line."""
    words = ["--seeds-dir", str(PAPERS), "--seed", "otter", "--seed", "heron", "--store", str(tmp_path / "store")]
    words += [word for code in ("TEX-CMD-TRP", "LAT-REF-SWP", "TEX-ENV-REN") for word in ("--operator", code)]

    def run(*line):
        line = [sys.executable, "-m", "lattice_env", *map(str, line)]
        done = subprocess.run(line, capture_output=True, text=True, timeout=900, check=False)
        assert done.returncode == 0, done.stderr
        return done.stderr.strip().splitlines()[-1]

    roots = {
        "ray": run("generate", "--out", tmp_path / "r", *words, "--executor", "ray", "--address", cluster.address),
        "serial": run("generate", "--out", tmp_path / "s", *words, "--executor", "serial"),
        "process": run("generate", "--out", tmp_path / "p", *words, "--jobs", "2"),
    }
    for number in (1, 2, 3):
        run("generate", "--out", tmp_path / "shards" / str(number), *words, "--shard", f"{number}/3")
    shards = [tmp_path / "shards" / name for name in "312"]
    roots["shards"] = run("merge", tmp_path / "m", *shards)
    assert roots["ray"].startswith("root ")
    assert len(set(roots.values())) == 1, roots
