"""Pages and links are read from well-formed PDFs, and hostile ones end in a ValueError at the worst."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lattice_env.verifier.pdf import link_targets, pages, read_objects

CATALOG = (1, b"<< /Type /Catalog /Pages 2 0 R >>")
ONE_LINK = b"%PDF-1.5\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Kids [1 0 R] >>\nendobj\n%%EOF"


def test_links_are_read_in_page_order(make_pdf):
    pdf = make_pdf(
        [
            CATALOG,
            (2, b"<< /Type /Pages /Kids [4 0 R 3 0 R] >>"),
            (3, b"<< /Type /Page /Annots [6 0 R] >>"),
            (4, b"<< /Type /Page /Annots 5 0 R >>"),
            (5, b"[7 0 R 8 0 R]"),
            (6, b"<< /A << /S /GoTo /D (table.1) >> >>"),
            (7, b"<< /A << /S /GoTo /D (section.2) >> >>"),
            (8, b"<< /A << /S /URI /URI (https://x.org) >> >>"),
        ]
    )
    objects = read_objects(pdf)
    assert len(pages(objects)) == 2
    assert link_targets(objects) == ["section.2", "table.1"]


def test_objects_in_a_compressed_stream_are_read(make_pdf, pack, one_page):
    objects = read_objects(make_pdf([(9, pack(one_page))]))
    assert link_targets(objects) == ["section.1", "cite.knuth"]


def test_a_page_tree_has_branches(make_pdf):
    branches = [(2, b"<< /Kids [3 0 R 4 0 R] >>"), (3, b"<< /Kids [5 0 R 6 0 R] >>")]
    leaves = [(number, b"<< /Type /Page /N %d >>" % number) for number in (4, 5, 6)]
    found = pages(read_objects(make_pdf([CATALOG, *branches, *leaves])))
    assert [page.split()[-2] for page in found] == [b"5", b"6", b"4"]


def test_a_destination_keeps_its_escapes(make_pdf, one_page):
    pdf = make_pdf([*one_page[:3], (4, rb"<< /A << /S /GoTo /D (cite.a\)b) >> >>")])
    assert link_targets(read_objects(pdf)) == [r"cite.a\)b"]


@pytest.mark.parametrize("kids", [b"2 0 R", b"3 0 R", b"2 0 R 3 0 R 2 0 R"])
def test_a_loop_in_the_page_tree_is_an_error(make_pdf, kids):
    pdf = make_pdf([CATALOG, (2, b"<< /Kids [%s] >>" % kids), (3, b"<< /Kids [2 0 R] >>")])
    with pytest.raises(ValueError, match="twice"):
        pages(read_objects(pdf))


def test_a_page_tree_names_no_page_twice(make_pdf):
    levels = [(n, b"<< /Kids [%d 0 R %d 0 R] >>" % (n + 1, n + 1)) for n in range(2, 14)]
    objects = read_objects(make_pdf([CATALOG, *levels, (14, b"<< /Type /Page >>")]))
    with pytest.raises(ValueError, match="twice"):
        pages(objects)


def test_a_kid_that_is_not_there_is_an_empty_page(make_pdf):
    assert pages(read_objects(make_pdf([CATALOG, (2, b"<< /Kids [7 0 R] >>")]))) == [b""]


@pytest.mark.parametrize("objects", [[], [(1, b"<< /Type /Catalog >>")], [(2, b"<< /Kids [3 0 R] >>")]])
def test_a_pdf_without_a_page_tree_is_an_error(make_pdf, objects):
    with pytest.raises(ValueError, match="page tree"):
        pages(read_objects(make_pdf(objects)))


def test_an_object_stream_that_does_not_unpack_is_an_error(make_pdf, pack, one_page):
    broken = pack(one_page).replace(b"stream\nx", b"stream\nX")
    with pytest.raises(ValueError, match="does not unpack"):
        read_objects(make_pdf([(9, broken)]))


def test_an_object_stream_without_its_start_is_an_error(make_pdf, pack, one_page):
    with pytest.raises(ValueError, match="/First"):
        read_objects(make_pdf([(9, pack(one_page).replace(b"/First", b"/Second"))]))


def test_what_a_stream_holds_is_no_object(make_pdf):
    data = b"7 0 obj\n<< /Type /Catalog >>\nendobj\n"
    stream = b"<< /Length %d >>\nstream\n%s\nendstream" % (len(data), data)
    assert set(read_objects(make_pdf([(5, stream), (6, b"null")]))) == {5, 6}


def test_a_length_that_is_a_reference_is_not_taken_for_a_number(make_pdf):
    stream = b"<< /Length 12 0 R >>\nstream\n(forged) 7 0 obj\nendstream"
    assert set(read_objects(make_pdf([(5, stream), (12, b"18")]))) == {5, 12}


@given(st.integers(min_value=0, max_value=len(ONE_LINK)))
def test_a_truncated_pdf_is_read_or_an_error(length):
    with contextlib.suppress(ValueError):
        assert link_targets(read_objects(ONE_LINK[:length])) == []


@given(st.binary(max_size=200))
def test_any_bytes_are_no_objects_or_an_error(data):
    assert isinstance(read_objects(b"%PDF-1.5\n" + data), dict)


def test_a_truncated_object_stream_is_read_as_far_as_it_goes_or_an_error(make_pdf, pack, one_page):
    pdf = make_pdf([(9, pack(one_page))])
    for length in range(len(pdf)):
        with contextlib.suppress(ValueError):
            assert len(pages(read_objects(pdf[:length]))) <= 1
