"""A tiny paper, a spec for it, and submissions told as what they replace."""

import hashlib
import zlib

import pytest

from lattice_env.verifier.build import Built
from lattice_env.verifier.comparison import Comparison, FileChange
from lattice_env.verifier.intake import Submission
from lattice_env.verifier.latex import Document
from lattice_env.verifier.spec import Change, Decoy, Fault, Spec
from lattice_env.verifier.toolchain import Toolchain, toolchain

PAPER = r"""\documentclass[a4paper]{article}
\usepackage[hidelinks]{hyperref}
\newcommand{\system}{Lattice}
\begin{document}
\section{Speed of a build}\label{sec:speed}
% A note of ours: 5\% is enough.
We call a build \emph{quick} when it ends within a second, as \system{} does in Table~\ref{tab:1}.
Section~\ref{sec:speed} says why a naïve build is slow, and an older book~\cite{knuth} says how TeX works.

Every reader who repairs a paper by hand, line after line, knows how slow the other way must be.

\begin{table}
\centering
\caption{Seconds for each build.}\label{tab:1}
\begin{tabular}{lr}
quick & 1 \\
slow & 25 \\
\end{tabular}
\end{table}

\[ a + b = c \hspace{1em}(7) \]

\bibliographystyle{plain}
\bibliography{refs}
\end{document}
"""
BOOK = r"""@book{knuth,
 author = {Donald E. Knuth},
 title = {The {\TeX} book},
 publisher = {Addison-Wesley},
 year = 1984
}
"""
FAULT = (r"\emph{quick}", r"\emhp{quick}")
REPAIR = (FAULT[1], FAULT[0])
DECOY = r"a + b = c \hspace{1em}(7)"


def edited(text, edits):
    """`text` with every (old, new) made once, in the place where `old` first stands."""
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def spec_of(original, initial, *, editable, names, family, budget, reference_size):
    """The spec of a paper that was `original` and is shipped as `initial`; both map paths to bytes."""
    before = original["main.tex"].decode()
    line = before[: before.find(FAULT[0])].count("\n") + 1
    return Spec(
        task="tiny-1",
        family=family,
        version=1,
        root="main.tex",
        engine="pdflatex",
        bibliography="bibtex",
        editable=editable,
        files={path: hashlib.sha256(data).hexdigest() for path, data in initial.items()},
        budget=budget,
        reference_size=reference_size,
        fault=Fault("tex-cmd-trp", (Change("main.tex", line, *FAULT, FAULT[1]),), names),
        decoy=Decoy("main.tex", DECOY),
        initial={path: initial[path] for path in editable},
        original={path: original[path] for path in editable},
    )


@pytest.fixture(scope="session")
def paper():
    """The files of the paper before the fault."""
    return {"main.tex": PAPER.encode(), "refs.bib": BOOK.encode()}


@pytest.fixture(scope="session")
def shipped(paper):
    """The files as an agent gets them."""
    return {**paper, "main.tex": edited(PAPER, [FAULT]).encode()}


@pytest.fixture(scope="session")
def make_spec(paper, shipped):
    """A function: the spec of the tiny paper, or of another that is given before and after its fault."""

    def make(original=None, initial=None, **fields):
        fields = {
            "editable": ("main.tex", "refs.bib"),
            "names": (r"\emhp",),
            "family": "build-repair",
            "budget": 60,
            "reference_size": 1,
            **fields,
        }
        return spec_of(original or paper, initial or shipped, **fields)

    return make


@pytest.fixture(scope="session")
def spec(make_spec):
    return make_spec()


@pytest.fixture(scope="session")
def submit(make_spec):
    """A function: what a submission is that makes `edits` (old, new) in the shipped `main.tex`.

    `also` are edits that the paper had from the start, `bib` those of `refs.bib`, `files` is laid over it all
    (None takes a file away).
    """

    def make(*edits, also=(), bib=(), files=None, **fields):
        original = {"main.tex": edited(PAPER, also).encode(), "refs.bib": BOOK.encode()}
        initial = {**original, "main.tex": edited(PAPER, [*also, FAULT]).encode()}
        submitted = {
            "main.tex": edited(edited(PAPER, [*also, FAULT]), edits).encode(),
            "refs.bib": edited(BOOK, bib).encode(),
            **(files or {}),
        }
        present = {path: data for path, data in submitted.items() if data is not None}
        return Comparison(make_spec(original, initial, **fields), Submission(present))

    return make


@pytest.fixture(scope="session")
def repair():
    """The edit that takes the fault back."""
    return REPAIR


@pytest.fixture(scope="session")
def make_change():
    """A function: one file in its three states; the original is the shipped one where none is given."""

    def make(shipped_text, submitted_text, *, original_text=None):
        states = (shipped_text if original_text is None else original_text, shipped_text, submitted_text)
        return FileChange("a.tex", *(Document("a.tex", state) for state in states), missing=False)

    return make


def pdf_of(objects, *, tail=b"%%EOF\n"):
    """A PDF of (number, body) objects, without the cross-references that we never read."""
    return b"%PDF-1.5\n" + b"".join(b"%d 0 obj\n%s\nendobj\n" % pair for pair in objects) + tail


@pytest.fixture(scope="session")
def make_pdf():
    return pdf_of


@pytest.fixture(scope="session")
def pack():
    """A function: the body of a compressed object stream that holds (number, body) objects."""

    def make(objects):
        heads, bodies = [], b""
        for number, body in objects:
            heads.append(b"%d %d" % (number, len(bodies)))
            bodies += body + b" "
        head = b" ".join(heads) + b" "
        data = zlib.compress(head + bodies)
        words = (len(objects), len(head), len(data))
        return (
            b"<< /Type /ObjStm /N %d /First %d /Length %d /Filter /FlateDecode >>\nstream\n" % words
            + data
            + b"\nendstream"
        )

    return make


ONE_PAGE = [
    (1, b"<< /Type /Catalog /Pages 2 0 R >>"),
    (2, b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"),
    (3, b"<< /Type /Page /Annots [4 0 R 5 0 R] >>"),
    (4, b"<< /Subtype /Link /A << /S /GoTo /D (section.1) >> >>"),
    (5, b"<< /Subtype /Link /A << /S /GoTo /D (cite.knuth) >> >>"),
]


@pytest.fixture(scope="session")
def one_page():
    """The objects of a PDF of one page with two links."""
    return ONE_PAGE


@pytest.fixture(scope="session")
def make_built():
    """A function: a build that succeeded and left these products by their endings."""

    def make(pdf=None, **products):
        named = {f"main.{ending}": text for ending, text in products.items()}
        return Built("", pdf=pdf or pdf_of(ONE_PAGE), text="words", products=named)

    return make


@pytest.fixture(scope="session")
def some_tools():
    """A toolchain that nothing is run with."""
    return Toolchain((), ("/usr/share/texmf",), "/var/lib/formats", "/etc/texmf/web2c", "none")


@pytest.fixture(scope="session")
def tools():
    """The toolchain of this machine, for tests marked `tex`."""
    return toolchain()
