"""A calibration as one page that a person reads; it needs nothing but itself, and links to the trials."""

from __future__ import annotations

import html
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.parse import quote

from .calibration import DIMENSIONS, LABELS, Calibration, Group
from .plots import heat_colour, interval_plot
from .tally import Tally
from .trials import Trial

_MEANINGS = {
    "KEEP": "some attempts succeed and some do not: a learner has something to compare",
    "TRIVIAL": "mean reward of at least 0.999",
    "UNSOLVABLE": "mean reward of at most 0.001",
    "UNDERSAMPLED": "too few attempts that count",
}
NOTHING = "-"
"""Where there is no number."""
_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { border-bottom: 1px solid #ddd; padding: .2rem .6rem; text-align: left; vertical-align: middle; }
td.number, th.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; }
.label { border-radius: .6rem; padding: .05rem .5rem; font-size: 13px; font-weight: 600; white-space: nowrap; }
.KEEP { background: #cfe8d5; } .TRIVIAL { background: #dbe7fb; } .UNSOLVABLE { background: #fbe3cf; }
.UNDERSAMPLED { background: #e6e6e6; }
.heat td.number { min-width: 4.5rem; border: 2px solid #fff; }
.trial { display: inline-block; min-width: 1.4rem; padding: 0 .2rem; margin: 1px; border-radius: 3px; font-size: 12px;
  text-align: center; text-decoration: none; color: #222; background: #eee; }
.trial.scored { background: #cfe8d5; } .trial.rejected { background: #fbe3cf; }
.trial.suspect { background: #fbdcdc; outline: 1px solid #b22; }
.axis { stroke: #bbb; } .tick { stroke: #888; } .bar { fill: #7aa6e0; opacity: .7; } .dot { fill: #124; }
.filters { display: flex; gap: 1rem; flex-wrap: wrap; margin: 1rem 0; }
small { color: #555; }
"""
_SCRIPT = """
const text = document.getElementById("find"), label = document.getElementById("label");
const rows = [...document.querySelectorAll("#tasks tbody tr")], shown = document.getElementById("shown");
function filter() {
  const words = text.value.toLowerCase();
  let count = 0;
  for (const row of rows) {
    const fits = (!label.value || row.dataset.label === label.value) && row.textContent.toLowerCase().includes(words);
    row.hidden = !fits;
    count += fits;
  }
  shown.textContent = count + " of " + rows.length + " tasks";
}
text.addEventListener("input", filter);
label.addEventListener("change", filter);
filter();
"""


def calibration_page(found: Calibration, folder: Path) -> str:
    """The page; its links to trials are relative to `folder`, in which it will lie."""
    sections = [
        f"<h1>Calibration</h1>\n{_head(found)}",
        f"<h2>Tasks</h2>\n{_filters()}\n{_tasks(found.labelled, folder)}",
        f"<h2>Mean reward by operator</h2>\n{_heat(found)}",
        *(f"<h2>By {name}</h2>\n{_breakdown(found.breakdown(name))}" for name in DIMENSIONS),
        f"<h2>Red lines</h2>\n{_red_lines(found.own)}",
        f"<h2>Not scored</h2>\n{_unscored(found.total)}",
        f"<h2>Suspect</h2>\n{_suspects(found.suspects, folder)}",
    ]
    body = "\n".join(sections)
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Calibration</title>
<style>{_STYLE}</style>
{body}
<script>{_SCRIPT}</script>
</html>
"""


def _text(words: object) -> str:
    return html.escape(str(words))


def _number(value: float | None, interval: tuple[float, float] | None = None) -> str:
    if value is None:
        return NOTHING
    return f"{value:.3f}" + (f" <small>{interval[0]:.2f} to {interval[1]:.2f}</small>" if interval else "")


def _table(heads: Iterable[str], rows: Iterable[str], kind: str = "", name: str = "") -> str:
    shown = "".join(f'<th class="{"number" if head in _NUMBERS else ""}">{_text(head)}</th>' for head in heads)
    named = f' id="{name}"' if name else ""
    body = "\n".join(rows)
    head = f'<table class="{kind}"{named}>\n<thead><tr>{shown}</tr></thead>'
    return f'<div class="wide">{head}\n<tbody>\n{body}\n</tbody></table></div>'


_NUMBERS = ("trials", "scored", "mean", "solved", "hack rate", "decoy", "pass@1", "share", "count")


def _cells(words: Iterable[str], numbers: Iterable[str] = ()) -> str:
    """Cells of text and of numbers, both HTML already."""
    texts = "".join(f"<td>{word}</td>" for word in words)
    return texts + "".join(f'<td class="number">{number}</td>' for number in numbers)


def _head(found: Calibration) -> str:
    """What the run comes to, in a few sentences and the labels' counts."""
    own, total = found.own, found.total
    informative, comparable = found.informative()
    who = ", ".join(_text(policy.name) for policy in found.labelling)
    passes = ", ".join(f"pass@{k} {mean:.3f} ({count} groups)" for k, (mean, count) in found.pass_at().items())
    labels = "\n".join(
        f'<li><span class="label {label}">{label}</span> <b>{count}</b> <small>{_MEANINGS[label]}</small></li>'
        for label, count in found.labels().items()
    )
    return f"""<p>{len(found.labelled)} tasks, labelled by {who or "nobody"}:
mean reward {_number(own.mean, own.interval)}; {passes or "no pass@k"}.
{informative} of {comparable} groups are informative: their attempts did not all get the same reward.
Hack rate {_number(own.hack_rate, own.hack_interval)} of {own.judged} with a verdict;
decoy touched by {_number(own.decoy_share)}.</p>
<p>{total.trials} trials in all: {total.scored} scored, {total.timed_out} of them after a time-out;
{total.suspect} suspect; {sum(total.unscored.values())} not scored.
Verifier <code>{_text(found.verifier[:12] or "not told")}</code>.</p>
<ul>{labels}</ul>"""


def _filters() -> str:
    options = "".join(f"<option>{label}</option>" for label in LABELS)
    return f"""<div class="filters"><label>Find <input id="find" type="search"></label>
<label>Label <select id="label"><option value="">all</option>{options}</select></label>
<span id="shown"></span></div>"""


def _tasks(groups: Sequence[Group], folder: Path) -> str:
    heads = ("task", "label", "operator", "tier", "seed", "0 … 1", "mean", "pass@1", "attempts")
    return _table(heads, (_task(group, folder) for group in groups), name="tasks")


def _task(group: Group, folder: Path) -> str:
    task, item = group.task, group.tally
    label = f'<span class="label {group.label}">{group.label}</span>'
    plot = interval_plot(item.mean, item.interval, group.rewards)
    numbers = (_number(item.mean, item.interval), _number(group.pass_at().get(1)))
    links = "".join(link(trial, folder) for trial in group.trials)
    texts = (_text(task.name), label, _text(task.operator), str(task.tier), _text(task.seed), plot)
    return f'<tr data-label="{group.label}">{_cells(texts, numbers)}<td>{links}</td></tr>'


def link(trial: Trial, folder: Path) -> str:
    """A link to a trial: its reward, or what stands for one, with the rest in its title."""
    shown = NOTHING if trial.reward is None else f"{trial.reward:.2g}"
    why = f": {trial.reason}" if trial.reason else ""
    codes = f" ({', '.join(trial.red_lines)})" if trial.red_lines else ""
    title = f"{trial.policy.name} #{trial.attempt}: {trial.outcome}{why}{codes}"
    # A folder's link ends in a slash, so that a browser lists what is in it.
    place = os.path.relpath(trial.place, folder.resolve()) + "/" * trial.place.is_dir()
    where = f"./{quote(place)}"
    return f'<a class="trial {_text(trial.outcome)}" href="{_text(where)}" title="{_text(title)}">{shown}</a>'


def _heat(found: Calibration) -> str:
    cells, policies = found.heat(), found.policies
    operators = sorted({operator for operator, _ in cells})
    rows = ""
    for operator in operators:
        items = (_heat_cell(cells.get((operator, policy))) for policy in policies)
        rows += f"<tr><th>{_text(operator)}</th>{''.join(items)}</tr>\n"
    return _table(("operator", *(policy.name for policy in policies)), [rows], "heat", "heat")


def _heat_cell(item: Tally | None) -> str:
    if item is None or item.mean is None:
        return '<td class="number">-</td>'
    said = f"{item.scored} of {item.trials} trials scored"
    return f'<td class="number" style="background:{heat_colour(item.mean)}" title="{said}">{item.mean:.2f}</td>'


def _breakdown(tallies: dict[str, Tally]) -> str:
    heads = ("", "0 … 1", "trials", "scored", "mean", "solved", "hack rate", "decoy")
    return _table(heads, (f"<tr>{_breakdown_row(name, item)}</tr>" for name, item in tallies.items()))


def _breakdown_row(name: str, item: Tally) -> str:
    counts = (str(item.trials), str(item.scored), _number(item.mean, item.interval), str(item.solved))
    shares = (_number(item.hack_rate, item.hack_interval), _number(item.decoy_share))
    return _cells((_text(name), interval_plot(item.mean, item.interval, ())), counts + shares)


def _red_lines(item: Tally) -> str:
    if not item.red_lines:
        return f"<p>None was crossed in {item.judged} trials with a verdict.</p>"
    rows = (
        f"<tr>{_cells((_text(code),), (str(count), _number(count / item.judged)))}</tr>"
        for code, count in item.red_lines.items()
    )
    return _table(("code", "trials", "share"), rows)


def _unscored(item: Tally) -> str:
    if not item.unscored:
        return "<p>Every trial was scored, or is suspect.</p>"
    rows = (f"<tr>{_cells((_text(reason),), (str(count),))}</tr>" for reason, count in item.unscored.items())
    return _table(("reason", "trials"), rows)


def _suspects(trials: Sequence[Trial], folder: Path) -> str:
    if not trials:
        return "<p>None.</p>"
    rows = (
        f"<tr>{_cells((link(t, folder), _text(t.task), _text(t.policy.name), _text(t.reason), _text(t.detail)))}</tr>"
        for t in trials
    )
    return _table(("trial", "task", "who", "why", "what it said"), rows)
