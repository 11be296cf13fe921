"""What the agents of doc-edit's conformance test do, call by call: oracle, nop, half-hearted repairs, E1 to E4."""

from __future__ import annotations

from itertools import islice

from lattice_env.families.doc_edit.baselines import BASELINES
from lattice_env.families.doc_edit.instruction import write_prompt
from lattice_env.families.doc_edit.make import make_task
from lattice_env.families.doc_edit.recipe import Knobs, recipe_json, recipes
from lattice_env.families.doc_edit.session import Session
from lattice_env.verifier.edit_spec import lines_of


class Recorder:
    """A session that keeps what it was called with."""

    def __init__(self, spec):
        self.session, self.calls, self.done = Session(spec), [], []
        self.spec = spec

    def act(self, name, arguments):
        """The session's answer; the call is kept, and the replacement too that it was."""
        self.calls.append([name, arguments])
        reply = self.session.act(name, arguments)
        if name == "edit_text" and not reply.refused:
            self.done.append(arguments)
        return reply


def edits(spec, change):
    """A call for each line that `change` makes another text of; page, line from 1, text, the site or None."""
    sites = {(site.page, site.line): site for site in spec.sites}
    for number, page in enumerate(spec.editable, 1):
        right = lines_of(spec.original[page])
        text = "\n".join(lines_of(spec.initial[page]))
        for line, old in enumerate(lines_of(spec.initial[page]), 1):
            new = change(old, right[line - 1], sites.get((page, line)))
            if new != old and text.count(old) == 1:
                yield ["edit_text", {"page": number, "old_text": old, "new_text": new}]


def of_hop(wanted):
    """E1: the sites right whose farthest value lies as far as `wanted` says, and none of the others."""
    return lambda old, right, site: right if site and wanted(max(s.hop for s in site.shows)) else old


CHANGES = {
    "top-alone": of_hop(lambda hop: hop > 0),
    "bottom-alone": of_hop(lambda hop: hop == 0),
    "every-line": lambda old, right, site: f"{right} X" if old.strip() else old,
    "shifted": lambda old, right, site: f"\n{right}" if site else old,
    "beside": lambda old, right, site: f"{old}\n{right}" if site else old,
    "before": lambda old, right, site: f"{right}\n{old}" if site else old,
}


def looping(spec):
    """E4: the same line edited and edited back for as long as it goes, and a replacement of a megabyte."""
    page = "\n".join(lines_of(spec.initial[spec.editable[0]]))
    line = next(line for line in page.split("\n") if line.strip() and page.count(line) == 1)
    there = ["edit_text", {"page": 1, "old_text": line, "new_text": "AGAIN"}]
    back = ["edit_text", {"page": 1, "old_text": "AGAIN", "new_text": line}]
    flood = ["edit_text", {"page": 1, "old_text": line, "new_text": "x" * 1_000_000}]
    return [flood, *([there, back] * (spec.max_turns // 2))]


def clumsy(spec):
    """Every call wrong, and then no submission: text for a page, no such page, no such tool, no JSON."""
    return [
        ["read_page", {"page": "1"}],
        ["read_page", {"page": len(spec.editable) + 1}],
        ["read_page", {"page": 1, "all": True}],
        ["search_doc", {}],
        ["edit_text", {"page": 1, "old_text": "", "new_text": "x"}],
        ["edit_text", {"page": 1, "old_text": "\u00a0", "new_text": "{}"}],
        ["edit_text", {"page": 1, "old_text": '{"a": 1}', "new_text": "[]"}],
    ]


def play(spec, calls):
    """The recorder after these calls."""
    recorder = Recorder(spec)
    for name, arguments in calls:
        recorder.act(name, arguments)
    return recorder


def recorded(made):
    """Script → the recorder that played it."""
    spec = made.task.spec
    played = {}
    for name, baseline in BASELINES.items():
        played[name] = Recorder(spec)
        baseline(played[name], made.change)
    for name, change in CHANGES.items():
        calls = list(edits(spec, change))[: spec.max_turns - 1]
        played[name] = play(spec, [*calls, ["submit", {}]])
    return played | {"loop": play(spec, looping(spec)), "clumsy": play(spec, clumsy(spec))}


def make_plan(knobs: Knobs):
    """The tasks of some knobs with scripts, and what each earns in process: all that a harness has to be told."""
    plan = []
    for recipe in islice(recipes(knobs), knobs.num_examples):
        made = make_task(recipe)
        spec = made.task.spec
        entry = {
            "name": made.task.name,
            "recipe": recipe_json(recipe, spec.task),
            "prompt": write_prompt(spec.request, len(spec.editable), spec.max_turns),
            "scripts": {},
            "earned": {},
        }
        recorders = recorded(made)
        for name, recorder in recorders.items():
            verdict = recorder.session.verdict()
            entry["scripts"][name] = recorder.calls
            entry["earned"][name] = verdict.components.get("consistency_reward", verdict.reward)
            entry.setdefault("did", {})[name] = recorder.session.metrics()
        plan.append((made, entry, recorders))
    return plan
