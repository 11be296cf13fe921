"""LAT-BIB-PCT: a journal in the bibliography has a space from a web address."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_env.families.paper.bibliography import slips
from lattice_env.families.paper.operator import BUILD_REPAIR, Example, Mutation, Operator, Paper


def sites(paper: Paper) -> Iterator[Mutation]:
    """The last space in the journal of every cited entry.

    BibTeX breaks long lines, and a percent sign in front of a break swallows no brace.
    """
    return slips(paper, "journal journaltitle", r"(?<=[a-z}])( )(?=[A-Za-z{]\S*$)", "%20")


OPERATOR = Operator(
    code="LAT-BIB-PCT",
    family=BUILD_REPAIR,
    tier=2,
    category="C13 special characters / encoding",
    summary="A journal in the bibliography has a space from a web address.",
    sites=sites,
    example=Example(
        "@book{k, journal = {Annals of Law}}",
        "@book{k, journal = {Annals of%20Law}}",
        "@book{k, title = {Annals of Law}, journal = {Law}}",
        path="paper.bib",
    ),
    diagnostic=r"^File ended while scanning use of \\(?:emph|textit|field|bibinfo|bibfield|href)|^Missing \} inserted",
)
