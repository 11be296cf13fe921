"""Work in the place of a verdict, for a pool's workers: it takes as many seconds as the submission says, or kills."""

from __future__ import annotations

import os
import signal
import time

from lattice_env.verification.work import unjudged


def judge(task, work, how, known=None):
    if "kill" in work:
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(float(work["seconds"]))
    return unjudged("slept")
