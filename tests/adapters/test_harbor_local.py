"""Harbor's own jobs over bubblewrap: who earns what, and what is left behind."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import shutil
from pathlib import Path

import pytest

from lattice_env.errors import MissingTool, PackageError, UsageError
from lattice_env.families.paper.make import make_task
from lattice_env.families.paper.operator import operators
from lattice_env.packages import write_package
from lattice_env.seeds import BUNDLED, load_seed

pytestmark = [pytest.mark.tex, pytest.mark.harbor]

OPERATORS = ["TEX-CMD-TRP", "LAT-REF-SWP"]
SCRIPTED = ["Forger", "Deleter", "Vandal"]
STAYS = f"9{os.getpid():07}"
"""Seconds to sleep, by which the processes of this test run are known; the sleeping agent's too."""


@pytest.fixture(scope="module")
def tasks(tmp_path_factory, builds):
    """A folder with a task of each family."""
    folder = tmp_path_factory.mktemp("tasks")
    seed = load_seed(BUNDLED / "tutorial")
    for code in OPERATORS:
        task = make_task(seed, operators()[code], "adapters", builds).task
        assert task is not None
        write_package(task, folder / task.name)
    return folder


@pytest.fixture(scope="module")
def trials(run_job, tasks, tmp_path_factory):
    """Every agent on every task, in one job: the trials of each agent."""
    agents = [{"name": "oracle"}, {"name": "nop"}, *({"import_path": f"scripted_agents:{name}"} for name in SCRIPTED)]
    results = run_job(tasks, tmp_path_factory.mktemp("jobs"), agents)
    assert len(results) == len(OPERATORS) * len(agents)
    return lambda agent: [result for result in results if result["agent_info"]["name"] == agent]


@pytest.mark.parametrize(("agent", "reward"), [("oracle", 1), ("nop", 0), ("forger", 0), ("deleter", 0), ("vandal", 0)])
def test_what_an_agent_earns(trials, agent, reward):
    found = trials(agent)
    assert len({result["task_name"] for result in found}) == len(OPERATORS)
    assert [result["exception_info"] for result in found] == [None, None]
    assert [result["verifier_result"]["rewards"]["reward"] for result in found] == [reward, reward]


def test_logs_and_artifacts_come_back(trials):
    for result in trials("oracle"):
        folder = Path(result["trial_uri"].removeprefix("file://"))
        assert (folder / "agent" / "oracle.txt").is_file()
        assert (folder / "artifacts" / "app" / "main.tex").is_file()
        assert json.loads((folder / "verifier" / "verdict.json").read_text("utf-8"))["status"] == "scored"


def test_the_verifier_judges_what_the_agent_left(trials):
    for result in trials("deleter"):
        folder = Path(result["trial_uri"].removeprefix("file://"))
        verdict = json.loads((folder / "verifier" / "verdict.json").read_text("utf-8"))
        assert "delete" in [line["code"] for line in verdict["redLines"]]


def test_an_agent_that_runs_out_of_time_leaves_nothing(run_job, tasks, tmp_path, running):
    agents = [{"import_path": "scripted_agents:Sleeper", "override_timeout_sec": 1}]
    results = run_job(tasks, tmp_path, agents)
    assert {result["exception_info"]["exception_type"] for result in results} == {"AgentTimeoutError"}
    assert {result["verifier_result"]["rewards"]["reward"] for result in results} == {0}
    assert running(STAYS) == []


def test_a_cancelled_job_leaves_nothing(run_job, tasks, tmp_path, running):
    with pytest.raises(TimeoutError):
        run_job(tasks, tmp_path, [{"import_path": "scripted_agents:Sleeper"}], seconds=3)
    assert running(STAYS) == []


@pytest.fixture
def environment(installed, tmp_path, scratch):
    """A function: an environment of a Dockerfile's text, not started."""
    from harbor.models.task.config import EnvironmentConfig, NetworkPolicy
    from harbor.models.trial.paths import TrialPaths

    from lattice_env.adapters.harbor_local import LocalEnvironment

    def made(text="FROM x\nCOPY paper /app\nWORKDIR /app\nENV SAID='a word'\n", network="no-network"):
        context = tmp_path / "context"
        (context / "paper").mkdir(parents=True, exist_ok=True)
        (context / "paper" / "main.tex").write_text("paper\n", "utf-8")
        (context / "Dockerfile").write_text(text, "utf-8")
        return LocalEnvironment(
            environment_dir=context,
            environment_name="task",
            session_id="task__env",
            trial_paths=TrialPaths(trial_dir=tmp_path / "trial"),
            task_env_config=EnvironmentConfig(),
            network_policy=NetworkPolicy(network_mode=network),
        )

    return made


@pytest.fixture
def within(environment):
    """A function: run a coroutine function in a started environment, and stop it."""

    def ran(use):
        async def run():
            box = environment()
            await box.start(force_build=False)
            try:
                return await use(box)
            finally:
                await box.stop(delete=True)

        return asyncio.run(run())

    return ran


def test_a_command_has_folder_environment_home_and_root(within):
    async def use(box):
        script = 'pwd; echo "$SAID $MORE $HOME $(id -u)"; cat main.tex; echo wrong >&2; exit 3'
        return await box.exec(script, env={"MORE": "more"}, user="root")

    done = within(use)
    assert done.stdout == "/app\na word more /root 0\npaper\n"
    assert (done.stderr, done.return_code) == ("wrong\n", 3)


def test_there_is_no_network(within):
    script = """python3 -c '
import socket
print(socket.if_nameindex())
socket.create_connection(("1.1.1.1", 53), 3)'"""
    done = within(lambda box: box.exec(script))
    assert done.return_code == 1
    assert done.stdout == "[(1, 'lo')]\n"
    assert "Network is unreachable" in done.stderr


def test_this_machine_is_there_to_read_only(within, tmp_path):
    there = f"{tmp_path} {Path(__file__)} /proc/{os.getpid()}"
    script = f"touch /usr/x || touch /etc/x || touch /var/x || ls -d {there}"
    done = within(lambda box: box.exec(script))
    assert done.return_code
    assert done.stdout == ""


def test_no_command_can_move_what_the_next_one_runs_on(within):
    async def use(box):
        await box.exec("mv /etc /etc2; mv /var /var2; mv /usr /usr2; rmdir /bin /etc; ln -s / /etc")
        return await box.exec("pdflatex --version > /dev/null && ls -d /bin/sh /etc/passwd")

    assert within(use).stdout == "/bin/sh\n/etc/passwd\n"


def test_time_outs_end_children(within, running):
    async def use(box):
        with pytest.raises(RuntimeError, match="timed out after 1 s"):
            await box.exec(f"setsid sleep {STAYS} & (trap '' TERM HUP; sleep {STAYS}) & sleep {STAYS}", timeout_sec=1)
        assert running(STAYS) == []
        return await box.exec("echo alive")

    assert within(use).stdout == "alive\n"


def test_background_processes_die_with_their_command(within, running):
    async def use(box):
        done = await box.exec(f"setsid nohup sleep {STAYS} > /dev/null 2>&1 & echo begun")
        assert running(STAYS) == []
        return done

    assert within(use).stdout == "begun\n"


def test_stop_ends_what_still_runs(within, running):
    async def use(box):
        task = asyncio.ensure_future(box.exec(f"sleep {STAYS}"))
        await asyncio.sleep(0.3)
        assert running(STAYS)
        await box.stop(delete=True)
        assert running(STAYS) == []
        return await task

    assert within(use).return_code


def test_a_cancelled_command_leaves_nothing(within, running):
    async def use(box):
        task = asyncio.ensure_future(box.exec(f"setsid sleep {STAYS} & sleep {STAYS}"))
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert running(STAYS) == []

    within(use)


def test_output_is_bounded(within):
    done = within(lambda box: box.exec("head -c 20000000 /dev/zero | tr '\\0' x"))
    assert len(done.stdout) == 4 << 20
    assert done.return_code == 0


def test_files_and_folders_go_in_and_come_back(within, tmp_path):
    given = tmp_path / "given"
    (given / "a folder" / "empty").mkdir(parents=True)
    (given / "a folder" / "b 'c' $d.tex").write_bytes(b"\x00\xff\n")
    (given / "run.sh").write_text("#!/bin/sh\necho ran\n", "utf-8")
    (given / "run.sh").chmod(0o755)

    async def use(box):
        await box.upload_dir(given, "/new place/deep")
        await box.upload_file(given / "run.sh", "/other/a script")
        await box.upload_file(given / "run.sh", "/app")
        await box.download_dir("/new place", tmp_path / "back")
        await box.download_file("/new place/deep/a folder/b 'c' $d.tex", tmp_path / "one" / "file")
        assert await box.is_dir("/new place/deep/a folder/empty")
        return await box.exec("'/other/a script' && ./run.sh && '/new place/deep/run.sh'")

    assert within(use).stdout == "ran\nran\nran\n"
    assert (tmp_path / "back" / "deep" / "a folder" / "b 'c' $d.tex").read_bytes() == b"\x00\xff\n"
    assert (tmp_path / "back" / "deep" / "a folder" / "empty").is_dir()
    assert (tmp_path / "one" / "file").read_bytes() == b"\x00\xff\n"


def test_what_is_not_there_does_not_come_back(within, tmp_path):
    async def use(box):
        with pytest.raises(RuntimeError, match="no such file"):
            await box.download_file("/app/missing", tmp_path / "missing")
        with pytest.raises(RuntimeError, match="No such file"):
            await box.download_dir("/missing", tmp_path / "missing")

    within(use)


def test_no_link_leads_out(within, tmp_path):
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "word").write_text("private", "utf-8")

    async def use(box):
        await box.exec(
            f"ln -s {secret} /app/out; ln -s {secret}/word /app/word; mkfifo /app/pipe; ln -s {secret} /deep"
        )
        await box.download_dir("/app", tmp_path / "back")
        for path in ("/app/word", "/app/pipe", "/deep/word"):
            with pytest.raises(RuntimeError, match="no such file"):
                await box.download_file(path, tmp_path / "file")
        with pytest.raises(RuntimeError):
            await box.upload_dir(tmp_path / "back", "/deep")

    within(use)
    assert [path.name for path in (tmp_path / "back").iterdir()] == ["main.tex"]
    assert [path.name for path in secret.iterdir()] == ["word"]


def test_closed_folders_come_back_and_are_removed(within, tmp_path):
    async def use(box):
        await box.exec("mkdir -p closed/in && echo x > closed/in/file && chmod 0 closed/in/file closed/in closed")
        await box.download_dir("/app", tmp_path / "back")

    within(use)
    assert (tmp_path / "back" / "closed" / "in" / "file").read_text("utf-8") == "x\n"


def test_a_start_says_what_it_is_not_for(within, caplog):
    with caplog.at_level(logging.WARNING):
        within(lambda box: box.exec("true"))
    assert "not for untrusted models" in caplog.text


def test_an_unsupported_dockerfile_ends_the_start_with_its_line(environment, scratch):
    box = environment("FROM x\nCOPY paper /app\nVOLUME /data\n")
    with pytest.raises(PackageError, match=r"Dockerfile:3: .*VOLUME /data"):
        asyncio.run(box.start(force_build=False))


def test_a_task_without_a_dockerfile_ends_the_start(environment):
    box = environment()
    (box.environment_dir / "Dockerfile").unlink()
    with pytest.raises(PackageError, match="no such file"):
        asyncio.run(box.start(force_build=False))


def test_a_task_with_a_network_is_refused(environment):
    with pytest.raises(UsageError, match="network_mode"):
        asyncio.run(environment(network="public").start(force_build=False))


def test_another_user_is_refused(within):
    async def use(box):
        with pytest.raises(UsageError, match="everything runs as root"):
            await box.exec("true", user="somebody")

    within(use)


def test_a_machine_without_bubblewrap(environment, monkeypatch):
    monkeypatch.setattr("lattice_env.adapters.box.find_tool", lambda _: None)
    with pytest.raises(MissingTool, match="bubblewrap"):
        asyncio.run(environment().start(force_build=False))


def test_a_machine_where_bubblewrap_does_not_work(environment, monkeypatch, scratch):
    monkeypatch.setattr(
        "lattice_env.adapters.box.find_tool", lambda name: f"/bin/{'false' if name == 'bwrap' else name}"
    )

    async def run():
        box = environment()
        with pytest.raises(RuntimeError, match="bubblewrap"):
            await box.start(force_build=False)
        await box.stop(delete=True)

    asyncio.run(run())


def test_an_environment_is_kept_on_demand(environment, scratch):
    async def run():
        box = environment()
        await box.start(force_build=False)
        await box.stop(delete=False)
        await box.stop(delete=True)
        with pytest.raises(RuntimeError, match="not running"):
            await box.exec("true")

    asyncio.run(run())
    (kept,) = scratch.iterdir()
    assert (kept / "root" / "app" / "main.tex").is_file()
    shutil.rmtree(kept)
