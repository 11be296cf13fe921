"""The command line: one command a file, in the order of the flow. Data goes to stdout, all else to stderr."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import cyclopts

from lattice_env.errors import LatticeError, UsageError

from . import (
    baselines,
    calibrate,
    dataset,
    demo,
    doctor,
    env,
    export_preferences,
    fast_check,
    fuzz,
    generate,
    image,
    mcp,
    merge,
    mine,
    ocr,
    preview,
    redteam,
    repair,
    run,
    seeds,
    select,
    selftest,
    split_check,
    status,
    templates,
    tree,
    verify,
    verify_batch,
)

INTERRUPTED = 130
COMMANDS = (
    seeds.seeds,
    generate.generate,
    status.status,
    merge.merge,
    mine.mine,
    selftest.selftest,
    verify.verify,
    verify_batch.verify_batch,
    preview.preview,
    baselines.baselines,
    redteam.redteam,
    fuzz.fuzz,
    fast_check.fast_check,
    dataset.dataset,
    env.env,
    run.run,
    mcp.mcp,
    calibrate.calibrate,
    select.select,
    split_check.split_check,
    export_preferences.export_preferences,
    repair.repair,
    tree.tree,
    doctor.doctor,
    demo.demo,
)

app = cyclopts.App(
    name="lattice-env",
    help="Verifiable document tasks: break a real paper in one place, package it, judge its repair by program.",
    version_flags=["--version"],
)
for _command in COMMANDS:
    app.command(_command)
app.command(image.image)
app.command(ocr.app)
app.command(templates.templates)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Exit codes: 0 done, 1 a check failed, 2 usage, 3 a tool is missing, 4 bad data."""
    try:
        done = app(arguments, exit_on_error=False, print_error=False, result_action="return_value")
    except cyclopts.CycloptsError as error:
        return _say(UsageError(str(error), hint="lattice-env COMMAND --help explains"))
    except LatticeError as error:
        return _say(error)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    return done if isinstance(done, int) else 0


def _say(error: LatticeError) -> int:
    print(f"lattice-env: {error}", file=sys.stderr)
    if error.hint:
        print(f"  hint: {error.hint}", file=sys.stderr)
    return error.exit_code
