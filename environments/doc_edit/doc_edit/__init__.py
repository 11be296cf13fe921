"""Doc-edit for verifiers: `vf-eval doc-edit -m MODEL -n 18 -r 2 --no-push`."""

from .environment import DocEditEnv
from .harness import DocEditHarness
from .taskset import DocEditTaskset

__all__ = ["DocEditEnv", "DocEditHarness", "DocEditTaskset"]
