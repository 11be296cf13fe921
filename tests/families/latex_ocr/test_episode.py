"""The rules of a session, without a server: resets, streams, single answers, and rows that are not whole."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from lattice_env.errors import DatasetError, EpisodeError
from lattice_env.families.latex_ocr.episode import Session
from lattice_env.families.latex_ocr.png import grey_png
from lattice_env.families.latex_ocr.settings import STREAM, Settings
from lattice_env.families.latex_ocr.source import Source, Split
from lattice_env.families.latex_ocr.tasks import Catalogue

PICTURE = grey_png(b"P5 3 2 255\n" + bytes(range(6)))


def source_of(*texts, size=None):
    """A source with one split, `train`, of these texts under one picture; None is a row without a picture."""
    values = [(PICTURE if text is not None else PICTURE[:20], text or "x") for text in texts]
    split = Split("train", len(values) if size is None else size, values.__getitem__, lambda: iter(values))
    return Source("test", {"train": split})


def walk(session, count):
    return [session.reset()[0] for _ in range(count)]


TEXTS = [f"x_{number}" for number in range(20)]
STREAMED = Settings(mode=STREAM)


def test_an_index_a_seed_and_neither_choose_a_row():
    session = Session(source_of(*TEXTS), Settings())
    assert session.reset(index=3)[0].index == 3
    assert session.reset(seed=5)[0] == session.reset(seed=5)[0]
    assert len({session.reset(seed=seed)[0].index for seed in range(40)}) > 10
    assert len({session.reset()[0].index for _ in range(60)}) > 5


def test_an_episode_takes_one_answer():
    session = Session(source_of(*TEXTS), Settings())
    session.reset(index=3)
    assert session.step("x_3").judgement.reward == 1
    with pytest.raises(EpisodeError, match="is over"):
        session.step("x_3")


def test_a_reset_that_fails_leaves_no_episode_open():
    session = Session(source_of(*TEXTS), Settings())
    session.reset(index=3)
    with pytest.raises(EpisodeError):
        session.reset(index=99)
    with pytest.raises(EpisodeError, match="is over"):
        session.step("x_3")


def test_a_row_that_is_not_whole_is_named_and_the_next_is_served():
    session = Session(source_of("a", None, "c"), Settings())
    with pytest.raises(DatasetError, match="row 1 of train is not whole"):
        session.reset(index=1)
    assert session.reset(index=2)[1] == PICTURE


def test_a_split_without_rows_is_a_typed_error():
    with pytest.raises(EpisodeError, match="no rows") as refused:
        Session(source_of(), Settings()).reset()
    assert refused.value.code == "empty-split"


def test_a_stream_counts_what_was_consumed_and_begins_again_after_its_end():
    places = walk(Session(source_of("a", "b"), STREAMED), 4)
    assert [(place.index, place.pct_done, place.remaining) for place in places] == [
        (0, 0.5, 1),
        (1, 1.0, 0),
        (2, 1.0, 0),
        (0, 0.5, 1),
    ]
    assert [place.exhausted for place in places] == [False, False, True, False]


def test_behind_the_end_of_a_stream_nothing_can_be_answered():
    session = Session(source_of("a"), STREAMED)
    walk(session, 2)
    with pytest.raises(EpisodeError, match="no episode"):
        session.step("a")


def test_a_stream_of_unknown_size_says_so():
    place = Session(source_of("a", "b", size=-1), STREAMED).reset()[0]
    assert (place.total, place.remaining, place.pct_done) == (-1, -1, 0.0)


def test_a_stream_refuses_an_index_and_task_lists_move_no_cursor():
    session = Session(source_of("a", "b"), STREAMED)
    with pytest.raises(EpisodeError) as refused:
        session.reset(index=0)
    assert refused.value.code == "stream-index"
    session.catalogue.task_range("train", 0, 2)
    assert session.reset()[0].index == 0


def test_a_row_of_a_stream_that_is_not_whole_is_passed_over_by_the_next_reset():
    session = Session(source_of("a", None, "c"), STREAMED)
    session.reset()
    with pytest.raises(DatasetError):
        session.reset()
    assert session.reset()[0].index == 2


def shuffled(seed, buffer=8):
    session = Session(source_of(*TEXTS), replace(STREAMED, seed=seed, shuffle_buffer=buffer))
    found = []
    for _ in TEXTS:
        session.reset()
        found.append(session.target)
    return found


def test_a_shuffled_stream_has_every_row_once_and_the_same_order_for_every_session():
    assert shuffled(1) == shuffled(1) != TEXTS
    assert shuffled(1) != shuffled(2)
    assert sorted(shuffled(1)) == sorted(TEXTS)
    assert shuffled(1, buffer=0) == TEXTS


def test_no_task_list_tells_a_target():
    catalogue = Catalogue(source_of(*TEXTS), Settings())
    assert catalogue.task_range("train", None, None)[3] == {"id": "train-3", "index": 3, "split": "train"}
    assert catalogue.task_range("train", -2, None) == [catalogue.task("train", 18), catalogue.task("train", 19)]


def test_a_range_of_a_stream_is_refused_and_never_cut():
    catalogue = Catalogue(source_of(*TEXTS), replace(STREAMED, stream_range_cap=5))
    assert len(catalogue.task_range("train", 0, 5)) == 5
    with pytest.raises(EpisodeError) as refused:
        catalogue.task_range("train", 0, 6)
    assert refused.value.code == "range-too-long"


def test_a_range_of_a_stream_of_unknown_size_needs_an_end():
    catalogue = Catalogue(source_of(*TEXTS, size=-1), STREAMED)
    assert len(catalogue.task_range("train", 2, 4)) == 2
    for start, stop in itertools.product((None, -1), (None, -1)):
        with pytest.raises(EpisodeError, match="not known"):
            catalogue.task_range("train", start, stop)
