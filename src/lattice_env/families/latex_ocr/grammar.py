"""Formulas made by a grammar over the constructs of real papers; each is a function of its key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lattice_env.keys import Choices

LATIN = "a b c d e f g h k m n p q r s t u v w x y z A B C D E F G H K L M N P Q R S T U V W X Y Z".split()
GREEK = (
    r"\alpha \beta \gamma \delta \epsilon \varepsilon \zeta \eta \theta \kappa \lambda \mu \nu \xi \pi \rho \sigma"
    r" \tau \phi \varphi \chi \psi \omega \Gamma \Delta \Theta \Lambda \Sigma \Phi \Psi \Omega".split()
)
ACCENTS = r"\hat \tilde \bar \vec \dot \ddot \overline \widehat \check".split()
ALPHABETS = r"\mathbf \mathcal \mathbb \mathrm \mathsf".split()
FUNCTIONS = r"\sin \cos \tan \log \ln \exp \det \max \min \sup \inf \dim \ker".split()
BINARY = r"+ - + - \cdot \times \pm \otimes \oplus \cup \cap \wedge \vee \circ \setminus".split()
RELATIONS = r"= = = < > \le \ge \ne \approx \equiv \sim \in \subset \subseteq \to \mapsto \propto \ll \perp".split()
LARGE = r"\sum \sum \prod \int \int \bigcup \bigcap \oint".split()
FENCES = (
    ("(", ")"),
    ("[", "]"),
    (r"\{", r"\}"),
    ("|", "|"),
    (r"\|", r"\|"),
    (r"\langle", r"\rangle"),
    (r"\lfloor", r"\rfloor"),
)
MATRICES = "matrix pmatrix bmatrix vmatrix".split()
TEXTS = ("if", "otherwise", "for all", "such that", "and", "subject to", "where", "with probability one")
OPERATORS = "softmax argmax diag rank tr Var Cov sgn".split()


@dataclass(frozen=True)
class Maker:
    """The choices of one formula."""

    choices: Choices

    def formula(self) -> str:
        """A whole formula: a relation, an aligned block or cases, mostly the first."""
        whole: tuple[Callable[[], str], ...] = (self.relation, self.relation, self.relation, self.relation)
        whole += (self.chain, self.aligned, self.cases, self.quantified)
        return self.choices.choice(whole)()

    def relation(self) -> str:
        """A relation between two expressions."""
        return f"{self.expression(3)} {self.choices.choice(RELATIONS)} {self.expression(3)}"

    def chain(self) -> str:
        """Two relations in a row."""
        return f"{self.relation()} {self.choices.choice(RELATIONS)} {self.expression(2)}"

    def aligned(self) -> str:
        """Two or three relations under each other."""
        rows = [f"{self.expression(2)} &= {self.expression(2)}" for _ in range(2 + self.choices.below(2))]
        return r"\begin{aligned} " + r" \\ ".join(rows) + r" \end{aligned}"

    def cases(self) -> str:
        """A definition by cases."""
        count = 2 + self.choices.below(2)
        rows = [f"{self.expression(2)} & \\text{{if }} {self.expression(1)} > {self.atom()}" for _ in range(count - 1)]
        rows.append(f"{self.expression(1)} & \\text{{otherwise}}")
        return rf"{self.symbol()}({self.symbol()}) = \begin{{cases}} " + r" \\ ".join(rows) + r" \end{cases}"

    def quantified(self) -> str:
        """A relation with words behind it."""
        text = self.choices.choice(TEXTS)
        return rf"{self.relation()} \quad \text{{{text}}} \quad {self.symbol()} \in {self.choices.choice(GREEK)}"

    def expression(self, depth: int) -> str:
        """Terms between binary operators."""
        parts = [self.term(depth)]
        for _ in range(self.choices.below(3)):
            parts += [self.choices.choice(BINARY), self.term(depth - 1)]
        return " ".join(parts)

    def term(self, depth: int) -> str:
        """One term; the shallower, the plainer."""
        if depth <= 0 or not self.choices.below(3):
            return self.scripted(0)
        deep: tuple[Callable[[int], str], ...] = (self.fraction, self.root, self.large, self.fenced, self.function)
        deep += (self.fraction, self.scripted, self.accented, self.styled, self.limit, self.matrix)
        return self.choices.choice(deep)(depth)

    def fraction(self, depth: int) -> str:
        """A fraction or a binomial."""
        name = self.choices.choice([r"\frac", r"\frac", r"\frac", r"\binom"])
        return f"{name}{{{self.expression(depth - 1)}}}{{{self.expression(depth - 2)}}}"

    def root(self, depth: int) -> str:
        """A square root, or a higher one."""
        order = f"[{2 + self.choices.below(8)}]" if not self.choices.below(4) else ""
        return rf"\sqrt{order}{{{self.expression(depth - 1)}}}"

    def large(self, depth: int) -> str:
        """A large operator with limits."""
        name, index = self.choices.choice(LARGE), self.choices.choice("i j k n t".split())
        upper = self.choices.choice(["n", "N", r"\infty", "T", "m"])
        return rf"{name}_{{{index} = {self.choices.below(3)}}}^{{{upper}}} {self.scripted(depth - 1)}"

    def limit(self, depth: int) -> str:
        """A limit."""
        name = self.choices.choice([r"\lim", r"\max", r"\min", r"\sup"])
        goal = self.choices.choice([r"\infty", "0", self.symbol()])
        return rf"{name}_{{{self.symbol()} \to {goal}}} {self.term(depth - 1)}"

    def fenced(self, depth: int) -> str:
        """An expression between delimiters that grow with it."""
        opening, closing = self.choices.choice(FENCES)
        return rf"\left{opening} {self.expression(depth - 1)} \right{closing}"

    def function(self, depth: int) -> str:
        """A function's name and its argument."""
        name = self.choices.choice([*FUNCTIONS, rf"\operatorname{{{self.choices.choice(OPERATORS)}}}"])
        return rf"{name} \left( {self.expression(depth - 1)} \right)"

    def matrix(self, depth: int) -> str:
        """A small matrix."""
        kind, columns = self.choices.choice(MATRICES), 2 + self.choices.below(2)
        rows = [" & ".join(self.scripted(0) for _ in range(columns)) for _ in range(2)]
        return rf"\begin{{{kind}}} " + r" \\ ".join(rows) + rf" \end{{{kind}}}" if depth else self.atom()

    def scripted(self, depth: int) -> str:
        """An atom, often with an index, an exponent or both."""
        base, kind = self.atom(), self.choices.below(5)
        below = f"_{{{self.index(depth)}}}" if kind in (1, 3) else ""
        above = f"^{{{self.index(depth)}}}" if kind in (2, 3) else ""
        return base + below + above

    def index(self, depth: int) -> str:
        """What stands in an index."""
        if self.choices.below(3):
            return self.atom()
        return self.expression(0) if depth > 0 else f"{self.atom()} + {1 + self.choices.below(3)}"

    def accented(self, _depth: int) -> str:
        """A letter with an accent."""
        return f"{self.choices.choice(ACCENTS)}{{{self.choices.choice(LATIN)}}}"

    def styled(self, _depth: int) -> str:
        """A capital letter of another alphabet."""
        return f"{self.choices.choice(ALPHABETS)}{{{self.choices.choice(LATIN[22:])}}}"

    def atom(self) -> str:
        """A number, mostly a symbol."""
        return str(self.choices.below(100)) if not self.choices.below(5) else self.symbol()

    def symbol(self) -> str:
        """A letter."""
        return self.choices.choice(LATIN if self.choices.below(3) else GREEK)


def make_formula(seed: int, index: int) -> str:
    """The formula number `index` of `seed`: always the same, whatever else is made."""
    return Maker(Choices("latex-ocr", "formula", str(seed), str(index))).formula()
