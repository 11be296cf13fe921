"""The same scripts on both forms of a package: pages on disk, and pages behind the server; judged by its own verifier.

Agents and server run in bubblewrap: roots of their own, this machine's programs to read, no network but, behind the
server, one loopback that both share. The agent's root holds no page.
"""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess

import pytest

from lattice_env.packages import behind_server, read_package, write_package

pytestmark = pytest.mark.skipif(not shutil.which("bwrap"), reason="bubblewrap is not installed")

EDITOR = """
import json, sys
from pathlib import Path
for call in json.loads(Path("/work/done.json").read_text()):
    page = sorted(Path("/app").glob("page-*.txt"))[call["page"] - 1]
    text = page.read_bytes().decode()
    assert text.count(call["old_text"]) >= 1, call
    page.write_bytes(text.replace(call["old_text"], call["new_text"], 1).encode())
"""
CALLER = """
import json, time, urllib.request
from pathlib import Path
def ask(method, params, number=1):
    body = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()
    request = urllib.request.Request("http://127.0.0.1:8000/mcp", body, {"Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(request, timeout=30))["result"]
assert not [path for path in Path("/").rglob("page-*.txt") if not str(path).startswith(("/proc", "/usr"))]
for left in range(200):
    try:
        ask("initialize", {"protocolVersion": "2025-06-18"})
        break
    except OSError:
        time.sleep(0.05)
assert len(ask("tools/list", {})["tools"]) == 4
for name, arguments in json.loads(Path("/work/calls.json").read_text()):
    ask("tools/call", {"name": name, "arguments": arguments})
"""


def root(folder, **files):
    """A root of its own with these files in `/work`."""
    (folder / "work").mkdir(parents=True)
    (folder / "app").mkdir()
    for name, text in files.items():
        (folder / "work" / name.replace("_", ".")).write_text(text, "utf-8")
    return folder


def jail(folder, *more):
    """A bubblewrap command in a root."""
    words = ["bwrap", "--die-with-parent", "--unshare-pid", *more, "--bind", str(folder), "/"]
    words += [word for name in ("/usr", "/bin", "/lib", "/lib64") for word in ("--ro-bind", name, name)]
    return [*words, "--proc", "/proc", "--dev", "/dev", "--clearenv", "--setenv", "PATH", "/usr/bin:/bin"]


def judged(package, app, out):
    """The reward that the package's own verifier writes."""
    line = ["/usr/bin/python3", "-I", "-S", package / "tests" / "verify.py", "--workspace", app, "--out", out]
    subprocess.run(line, check=True, capture_output=True, timeout=60)
    return json.loads((out / "reward.json").read_text("utf-8"))["reward"]


def on_disk(package, folder, recorder):
    """The pages after the replacements of a script."""
    place = root(folder, done_json=json.dumps(recorder.done), edit_py=EDITOR)
    shutil.copytree(package / "environment" / "workspace", place / "app", dirs_exist_ok=True)
    line = [*jail(place, "--unshare-net"), "/usr/bin/python3", "/work/edit.py"]
    subprocess.run(line, check=True, timeout=60)
    return place / "app"


def behind(package, folder, recorder):
    """The pages after the calls of a script at the package's server, which stands in a root of its own."""
    document = root(folder / "document")
    shutil.copytree(package / "environment" / "workspace", document / "app", dirs_exist_ok=True)
    shutil.copytree(package / "environment" / "document", document / "document")
    agent = root(folder / "agent", calls_json=json.dumps(recorder.calls), call_py=CALLER)
    server = [*jail(document), "/usr/bin/python3", "-I", "-S", "/document/server.py"]
    caller = [*jail(agent), "/usr/bin/python3", "/work/call.py"]
    quoted = [shlex.join(words) for words in (server, caller)]
    script = f"{quoted[0]} >/dev/null & s=$!; {quoted[1]}; code=$?; kill $s; exit $code"
    outer = ["bwrap", "--unshare-net", "--die-with-parent", "--dev-bind", "/", "/", "sh", "-c", script]
    subprocess.run(outer, check=True, timeout=120)
    return document / "app"


FORMS = {"files": (lambda task: task, on_disk), "served": (behind_server, behind)}


@pytest.mark.parametrize("form", FORMS)
def test_both_forms_of_a_package_pay_the_same(plan, form, tmp_path):
    dress, attempt = FORMS[form]
    for (made, entry), recorders in zip(plan.made, plan.played, strict=True):
        package = tmp_path / entry["name"]
        write_package(dress(made.task), package)
        read_package(package)
        found = {
            name: judged(package, attempt(package, tmp_path / f"{entry['name']}-{name}", recorder), tmp_path / name)
            for name, recorder in recorders.items()
        }
        assert found == entry["earned"]


def test_the_served_form_holds_no_page_in_the_agents_image_and_names_its_server(plan, tmp_path):
    package = tmp_path / "served"
    write_package(behind_server(plan.made[0][0].task), package)
    assert "COPY" not in (package / "environment" / "Dockerfile").read_text("utf-8")
    text = (package / "task.toml").read_text("utf-8")
    assert 'artifacts = [{ source = "/app", service = "document" }]' in text
    assert 'mcp_servers = [{ name = "document"' in text
    assert "four tools only" in (package / "instruction.md").read_text("utf-8")
