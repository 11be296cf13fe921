"""A headless Chromium, driven through its DevTools socket: one page, and JavaScript in it."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import subprocess
import time

from websockets.sync.client import connect

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Page:
    """One page; `run` evaluates JavaScript in it, `wait` until it is true."""

    def __init__(self, socket):
        self._socket = socket
        self._count = 0

    def call(self, method, **parameters):
        self._count += 1
        self._socket.send(json.dumps({"id": self._count, "method": method, "params": parameters}))
        while (reply := json.loads(self._socket.recv(120))).get("id") != self._count:
            pass
        assert "error" not in reply, reply
        return reply["result"]

    def run(self, script):
        found = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def wait(self, script, seconds=120):
        deadline = time.monotonic() + seconds
        while not (value := self.run(script)):
            assert time.monotonic() < deadline, f"never true: {script}\n{self.run('document.body.innerText')}"
            time.sleep(0.1)
        return value


@contextlib.contextmanager
def page_of(url, profile):
    """A page at `url`, in a browser that ends with the block."""
    flags = "--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --remote-debugging-port=0"
    command = [CHROMIUM, *flags.split(), f"--user-data-dir={profile}", url]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as browser:
        try:
            lines = iter(browser.stderr.readline, "")
            address = next(found[1] for line in lines if (found := re.search(r"ws://([^/]+)/", line)))
            with connect(f"ws://{address}/devtools/page/{_target(address)}", max_size=None, proxy=None) as socket:
                yield Page(socket)
        finally:
            browser.terminate()
            browser.stderr.close()


def _target(address):
    from .conftest import ask

    while not (pages := [row for row in ask(f"http://{address}/json")[1] if row["type"] == "page"]):
        time.sleep(0.1)
    return pages[0]["id"]
