"""An export loads in `datasets` and trains in TRL as it is.

Both are heavy, and TRL wants PyTorch: they live in an environment of their own (`scripts/consumers trl-openenv`),
or LATTICE_TRL_PYTHON names the Python of another one.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from lattice_env.analysis.preferences import export_preferences

OURS = Path(__file__).parents[3] / ".consumers" / "trl-openenv" / "bin" / "python"
PYTHON = Path(os.environ.get("LATTICE_TRL_PYTHON") or OURS)


@pytest.mark.slow
@pytest.mark.skipif(not PYTHON.exists() and os.environ.get("CI") != "true", reason="no .consumers/trl-openenv")
@pytest.mark.parametrize("level", [1, 2])
def test_datasets_and_trl_accept_every_table(level, paper, tmp_path):
    export_preferences(paper, tmp_path / "out", level=level)
    script = Path(__file__).with_name("accepts.py")
    done = subprocess.run(
        [PYTHON, script, tmp_path / "out"],
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        timeout=570,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for line in (
        "datasets: preference: ",
        "datasets: unpaired-preference: ",
        "trl: DPOTrainer: a step",
        "trl: KTOTrainer: a step",
    ):
        assert line in done.stdout
