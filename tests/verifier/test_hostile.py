"""Any bytes in any file, and any names: a verdict, never a bug; and without the repair never a build."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lattice_env.fuzz.contents import PIECES
from lattice_env.verifier.intake import Submission
from lattice_env.verifier.judge import verify
from lattice_env.verifier.verdict import REJECTED, InfraError

SOURCES = st.one_of(
    st.binary(max_size=400),
    st.text(max_size=400).map(lambda text: text.encode("utf-8", "replace")),
    st.lists(st.sampled_from(PIECES), max_size=60).map(lambda pieces: " ".join(pieces).encode()),
)
NAMES = st.one_of(
    st.text(min_size=1, max_size=30), st.sampled_from(["main.aux", "Main.tex", "../x", "a/b/c.tex", "\udcff"])
)


class Unbuilt:
    """A store that builds nothing."""

    def outcome(self, *_words, **_options):
        raise InfraError("not built")


@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_any_bytes_in_place_of_a_paper_are_refused(spec, shipped, data):
    path = data.draw(st.sampled_from(sorted(shipped)))
    files = {**shipped, path: data.draw(SOURCES)}
    verdict = verify(spec, Submission(files), Unbuilt())
    assert verdict.status == REJECTED
    assert verdict.to_json()


@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_any_bytes_put_into_a_paper_get_a_verdict(spec, shipped, data):
    path = data.draw(st.sampled_from(sorted(shipped)))
    place = data.draw(st.integers(0, len(shipped[path])))
    files = {**shipped, path: shipped[path][:place] + data.draw(SOURCES) + shipped[path][place:]}
    verdict = verify(spec, Submission(files), Unbuilt())
    assert verdict.status == REJECTED or verdict.facts["error"] == "not built"


@settings(deadline=None, max_examples=100)
@given(names=st.sets(NAMES, max_size=6))
def test_any_names_get_a_verdict(spec, shipped, names):
    verdict = verify(spec, Submission({**dict.fromkeys(names, b"x"), **shipped}), Unbuilt())
    assert verdict.status == REJECTED or verdict.facts["error"] == "not built"
    assert verdict.to_json()
