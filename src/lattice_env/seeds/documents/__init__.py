"""Document recipes: genres (facts, formulas, section templates) and locale packs, as data without code."""

from .genre import Genre, genre_names, load_genre, load_genres
from .locale import Locale, load_locale, load_locales, locale_names
from .templates import Template, parse_template

__all__ = [
    "Genre",
    "Locale",
    "Template",
    "genre_names",
    "load_genre",
    "load_genres",
    "load_locale",
    "load_locales",
    "locale_names",
    "parse_template",
]
