"""What the references of a paper lead to."""

from __future__ import annotations

from collections import Counter

from .operator import Paper
from .references import Label, labels, references


def uses(paper: Paper) -> Counter[str]:
    """How often each key is referred to."""
    return Counter(key.text for document in paper.tex for key in references(document))


def used_labels(paper: Paper) -> list[Label]:
    """Every label that stands once in the paper and is referred to, file by file, in order."""
    used, found = uses(paper), labels(paper)
    count = Counter(label.key for label in found)
    return [label for label in found if used[label.key] and count[label.key] == 1]
