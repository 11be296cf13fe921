"""The benchmarks without TeX: what is asked for, what every figure says, and its arithmetic. Nothing is timed."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks import documents, episodes, generation, leakage, phases, repairs, scale, verification
from benchmarks.__main__ import BENCHMARKS, main, parse
from benchmarks.clock import timed
from benchmarks.figures import Figure, Measure, overall
from benchmarks.table import table_of

from lattice_env.analysis.leakage import check_split

MEASURES = (
    *verification.MEASURES,
    *generation.MEASURES,
    *leakage.MEASURES,
    *documents.MEASURES,
    *episodes.MEASURES,
    *repairs.MEASURES,
)
MEASURES += scale.MEASURES
MOST = Measure("verification", "a verdict", "bare latexmk", "s", 1.2)
LEAST = Measure("generation", "two workers", "one worker", "tasks/min", 1.6, at_least=True)


def test_without_names_everything_is_measured():
    options = parse([])
    assert options.names == list(BENCHMARKS)
    assert options.seeds == ["tutorial", "chapters", "humanities"]
    assert (options.repeats, options.limit, options.json, options.texts) == (3, None, None, 10_000)


def test_options_are_read():
    options = parse(["generation", "--json", "x.json", "--seeds", "tutorial,llncs", "--repeats", "5", "--limit", "4"])
    assert options.names == ["generation"]
    assert options.seeds == ["tutorial", "llncs"]
    assert (options.repeats, options.limit, options.json) == (5, 4, Path("x.json"))


@pytest.mark.parametrize("words", [["speed"], ["--repeats", "0"], ["--limit", "-1"], ["--repeats", "many"], ["--fast"]])
def test_wrong_options_are_refused(words, capsys):
    with pytest.raises(SystemExit) as refused:
        parse(words)
    assert refused.value.code == 2
    assert "usage: python -m benchmarks" in capsys.readouterr().err


def test_unknown_seed_measures_nothing(capsys, monkeypatch):
    monkeypatch.setattr("benchmarks.__main__.machine_facts", dict)
    assert main(["--seeds", "atlantis"]) == 1
    assert "no seed 'atlantis' can be used; known: chapters" in capsys.readouterr().err


def test_every_measure_has_a_peer_and_an_aim():
    for measure in MEASURES:
        assert measure.peer
        assert measure.unit
        assert measure.aim > 0 or measure is repairs.FALSE
        assert measure.benchmark in BENCHMARKS
    assert len({(measure.benchmark, measure.name) for measure in MEASURES}) == len(MEASURES)


def test_a_synthetic_split_has_the_leaks_that_it_says_and_no_other():
    private, public, planted = leakage.make_split(200)
    assert (len(private), len(public), len(planted)) == (20, 180, 2)
    assert {(leak.private, leak.public) for leak in check_split(private, public).leaks} == planted


def test_every_measure_of_verification_is_taken():
    assert tuple(verification._JUDGES) == verification.MEASURES  # noqa: SLF001 - the table of what is run


def test_ratio_is_measured_over_reference():
    assert Figure(MOST, "x", 3.0, 2.0).ratio == 1.5


@pytest.mark.parametrize(
    ("measure", "ratio", "state"),
    [(MOST, 1.2, "met"), (MOST, 1.21, "missed"), (LEAST, 1.6, "met"), (LEAST, 1.59, "missed")],
)
def test_aims_bound_from_one_side(measure, ratio, state):
    assert Figure(measure, "x", ratio, 1.0).state == state


def test_a_landmark_is_marked():
    landmark = Measure("verification", "a process", "bare latexmk", "s", 2.2, informative=True)
    assert Figure(landmark, "x", 1.0, 1.0).state == "(met)"
    assert Figure(landmark, "x", 3.0, 1.0).state == "(missed)"


def test_overall_is_the_median_of_one_measures_ratios():
    figures = [Figure(MOST, "x", ratio, 1.0) for ratio in (1.0, 3.0, 1.4)]
    whole = overall(MOST, "all", [*figures, Figure(LEAST, "x", 9.0, 1.0)])
    assert (whole.subject, whole.ratio) == ("all", 1.4)


def sample(subject, repeat, warm):
    verdicts = {measure.name: warm for measure in verification.MEASURES}
    return verification.Sample(subject, "TEX", repeat, (1.0, 3.0), verdicts)


def test_verdicts_are_compared_with_the_peer_of_their_own_repeat():
    one = sample("a", 1, 5.0)
    assert one.peer == 2.0
    figure = one.figure(verification.WARM)
    assert (figure.measured, figure.reference, figure.ratio) == (5.0, 2.0, 2.5)


def test_a_task_shows_its_median_repeat():
    samples = [sample("a", repeat, warm) for repeat, warm in enumerate((9.0, 2.0, 2.4), 1)]
    figures = verification.figures_of([*samples, sample("b", 1, 4.0)])
    warm = [figure for figure in figures if figure.measure is verification.WARM]
    assert [(figure.subject, figure.ratio) for figure in warm] == [("a", 1.2), ("b", 2.0), ("median of all tasks", 1.6)]
    assert len(figures) == 3 * len(verification.MEASURES)


def run_of(workers, seconds, builds=40):
    counts = {"admitted": 10, "builds": builds, "stored": 44, "units": 12}
    return generation.Sample(workers, seconds, **counts, bare=2.0, alone=30.0, paired=48.0)


def test_generation_counts_builds_seconds_and_workers():
    samples = [run_of(1, 100), run_of(2, 60), run_of(1, 120), run_of(2, 80), run_of(1, 900), run_of(2, 75)]
    builds, seconds, scaling, machine, share = generation.figures_of(samples, "x")
    assert (builds.measured, builds.reference, builds.ratio) == (40, 10, 4)
    assert (seconds.measured, seconds.reference, seconds.ratio) == (12, 2, 6)
    assert (scaling.measured, scaling.reference, scaling.ratio) == (8, 5, 1.6)
    assert (machine.measured, machine.reference, machine.ratio) == (48, 30, 1.6)
    assert (share.measured, share.reference, share.ratio) == (1.6, 1.6, 1)


def test_scale_is_a_median_of_runs_and_has_no_ray_where_there_is_none():
    names = (scale.VERDICTS.name, scale.FAST.name)
    samples = [dict.fromkeys(names, rate) | {"bare": 1000, "memory": 60, "process": 10} for rate in (900, 100, 950)]
    figures = scale.figures_of(samples, "x")
    assert [figure.ratio for figure in figures] == [0.9, 0.9, 0.4]
    (_, _, memory) = scale.figures_of([samples[0] | {"memory": 151}], "x")
    assert memory.state == "missed"
    with_ray = scale.figures_of([sample | {"ray": 9} for sample in samples], "x")
    assert (with_ray[-1].ratio, with_ray[-1].met) == (0.9, True)


def test_every_phase_of_a_verdict_is_there_to_be_timed():
    assert set(phases.profile(lambda: None)) == {"rest"}


def test_documents_are_counted_by_the_second_of_a_core():
    samples = [
        documents.Sample(measure.name, repeat, 1000, seconds)
        for measure in documents.MEASURES
        for repeat, seconds in enumerate((1.0, 0.5, 4.0), 1)
    ]
    figures = documents.figures_of(samples)
    assert [figure.measure for figure in figures] == list(documents.MEASURES)
    assert [figure.measured for figure in figures] == [1000] * 4
    assert [figure.state for figure in figures] == ["met", "missed", "(met)", "(met)"]


def test_episodes_are_judged_by_their_late_steps_and_builds_by_bare_ones():
    quick = [episodes.Sample(name, "a", 0.0005) for name in (episodes.READ.name, episodes.EDIT.name) for _ in range(99)]
    late = [episodes.Sample(episodes.READ.name, "a", 0.003), episodes.Sample(episodes.EDIT.name, "a", 0.0005)]
    others = [("reset, median", 0.01), (episodes.COMPILE.name, 2.1), (episodes.AGAIN.name, 0.001), ("bare", 2.0)]
    figures = episodes.figures_of([*quick, *late, *(episodes.Sample(name, "a", seconds) for name, seconds in others)])
    reset, read, edit, again, build = figures
    assert [figure.state for figure in figures] == ["met", "missed", "met", "(met)", "met"]
    assert (reset.ratio, read.ratio, edit.ratio, again.ratio, build.ratio) == (0.5, 3.0, 0.5, 0.1, 1.05)


def test_figures_and_samples_are_plain_json():
    figure = Figure(MOST, "x", 3.0, 2.0).to_json()
    assert json.loads(json.dumps(figure)) == {
        "benchmark": "verification",
        "name": "a verdict",
        "peer": "bare latexmk",
        "unit": "s",
        "aim": 1.2,
        "at_least": False,
        "informative": False,
        "subject": "x",
        "measured": 3.0,
        "reference": 2.0,
        "ratio": 1.5,
        "met": False,
    }
    assert json.loads(json.dumps(run_of(2, 60).to_json()))["per_minute"] == 10


def test_table_has_a_row_for_each_figure():
    assert table_of([Figure(MOST, "x", 3.0, 2.0), Figure(LEAST, "x", 3.0, 2.0)]).row_count == 2


def test_timed_returns_what_the_work_returned():
    seconds, result = timed(lambda: 42)
    assert result == 42
    assert seconds >= 0


def mended(operator, *, same_pdf=True, same_text=True, reward=1.0):
    """A run of the rules that took a second beside ten of building."""
    facts = {"status": "success", "reason": "", "compiles": 2, "own": 1.0, "compiling": 10.0, "seed": "otter"}
    return repairs.Sample(operator=operator, same_pdf=same_pdf, same_text=same_text, reward=reward, **facts)


def test_a_repair_counts_by_its_pdf_and_a_false_one_by_its_text():
    samples = [
        mended("A"),
        mended("A", same_pdf=False, reward=0.4),
        mended("B", same_pdf=False, same_text=False, reward=0.4),
        mended("B", same_pdf=False, same_text=False, reward=0.9),
        mended("B", same_pdf=False, same_text=False, reward=None),
    ]
    repaired, false, overhead = repairs.figures_of(samples, "five")
    assert (repaired.ratio, false.ratio, overhead.ratio) == (0.2, 0.2, 0.1)
    assert (repaired.met, false.met, overhead.met) == (False, False, True)
    assert list(repairs.per_operator([vars(one) for one in samples])) == [("A", 2, 1), ("B", 3, 0)]
