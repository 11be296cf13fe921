"""New section templates, written by a model behind an OpenAI-compatible endpoint and kept only if they are lawful."""

from .author import Attempt, Order, author
from .chat import Answer, Call, Endpoint, EndpointError, Failure, ask, ask_with_tools, check_address

__all__ = [
    "Answer",
    "Attempt",
    "Call",
    "Endpoint",
    "EndpointError",
    "Failure",
    "Order",
    "ask",
    "ask_with_tools",
    "author",
    "check_address",
]
