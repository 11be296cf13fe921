"""New section templates, written by a model behind an OpenAI-compatible endpoint and kept only if they are lawful."""

from .author import Attempt, Order, author
from .chat import Endpoint, EndpointError, Failure, ask

__all__ = ["Attempt", "Endpoint", "EndpointError", "Failure", "Order", "ask", "author"]
