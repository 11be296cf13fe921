"""A spec is read strictly: what is not exactly right is a SpecError that names its place."""

import json

import pytest

from lattice_env.verifier.engines import read_spec, spec_json
from lattice_env.verifier.spec import SpecError


@pytest.fixture
def tests(tmp_path, spec):
    """A package's `tests/` folder with nothing but the spec in it."""
    (tmp_path / "task.json").write_text(spec_json(spec), "utf-8")
    for state, files in (("initial", spec.initial), ("original", spec.original)):
        for path, data in files.items():
            place = tmp_path / state / path
            place.parent.mkdir(exist_ok=True)
            place.write_bytes(data)
    return tmp_path


@pytest.fixture
def tampered(tests):
    """A function: reads the spec after `change` was made to the JSON body."""

    def read(change):
        path = tests / "task.json"
        body = json.loads(path.read_text("utf-8"))
        change(body)
        path.write_text(json.dumps(body), "utf-8")
        return read_spec(tests)

    return read


def test_a_spec_comes_back_from_its_json(tests, spec):
    assert read_spec(tests) == spec


def test_the_same_spec_gives_the_same_json(tests, spec):
    assert spec_json(read_spec(tests)) == spec_json(spec)


def test_a_spec_reads_its_files_before_and_after_the_fault(spec):
    before, after = spec.original_documents["main.tex"], spec.initial_documents["main.tex"]
    assert (r"\emph{quick}" in before.text, r"\emhp{quick}" in after.text) == (True, True)


def test_an_unknown_key_is_named(tampered):
    with pytest.raises(SpecError, match=r"task\.json.*'surprise'"):
        tampered(lambda body: body.update(surprise=1))


def test_a_missing_key_is_named(tampered):
    with pytest.raises(SpecError, match="budget"):
        tampered(lambda body: body.pop("budget"))


@pytest.mark.parametrize(
    ("key", "value"),
    [("budget", "60"), ("budget", True), ("budget", 1.5), ("budget", None), ("root", 1), ("files", []), ("fault", "x")],
)
def test_a_value_of_the_wrong_type_is_named(tampered, key, value):
    with pytest.raises(SpecError, match=key):
        tampered(lambda body: body.update({key: value}))


@pytest.mark.parametrize(
    ("key", "value"),
    [("format", 2), ("engine", "xelatex"), ("family", "poems"), ("bibliography", "none")],
)
def test_an_unknown_word_is_named(tampered, key, value):
    with pytest.raises(SpecError, match=key):
        tampered(lambda body: body.update({key: value}))


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_what_is_no_number_is_no_value(tests, word):
    path = tests / "task.json"
    path.write_text(path.read_text("utf-8").replace('"budget": 60', f'"budget": {word}'), "utf-8")
    with pytest.raises(SpecError, match=word):
        read_spec(tests)


def test_a_change_with_a_key_too_many_is_named(tampered):
    with pytest.raises(SpecError, match=r"fault\.changes"):
        tampered(lambda body: body["fault"]["changes"][0].update(column=1))


def test_a_decoy_with_a_key_too_few_is_named(tampered):
    with pytest.raises(SpecError, match="decoy"):
        tampered(lambda body: body["decoy"].pop("text"))


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda body: body.update(editable=[1]), id="editable"),
        pytest.param(lambda body: body["fault"].update(names=[1]), id="names"),
        pytest.param(lambda body: body.update(files={"main.tex": 1}), id="files"),
        pytest.param(lambda body: body.update(manifest={"verify.py": None}), id="manifest"),
    ],
)
def test_an_item_of_the_wrong_type_is_an_error(tampered, change):
    with pytest.raises(SpecError):
        tampered(change)


@pytest.mark.parametrize("name", ["task.json", "initial/main.tex", "original/refs.bib"])
def test_a_missing_file_is_named(tests, name):
    (tests / name).unlink()
    with pytest.raises(SpecError, match=name):
        read_spec(tests)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "\udcff"])
def test_what_is_no_object_is_an_error(tests, text):
    (tests / "task.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(SpecError, match=r"task\.json"):
        read_spec(tests)
