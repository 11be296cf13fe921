"""What a transcription earns: one function for the server, the packages and the tests.

Standard library only, and nothing of ours but the distance beside it. It lies in a folder of its own, so that
the packages of papers, which copy the files of the folder above, do not carry it::

    answer ─▶ unwrap (fence, dollars) ─▶ tokens ─▶ joined ─▶ error rate, exact match, length factor
"""

from .answer import joined, tokens, unwrap
from .reward import Knobs, Parts, score

__all__ = ["Knobs", "Parts", "joined", "score", "tokens", "unwrap"]
