"""English number words: `twelve`, `two hundred and six`."""

from __future__ import annotations

SMALL = tuple(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen".split()
)
TENS = ("", "", *"twenty thirty forty fifty sixty seventy eighty ninety".split())
SCALES = ((1_000_000, "million"), (1_000, "thousand"), (100, "hundred"))


def number_words(number: int) -> str:
    """A number from 0 to 999,999,999 in words; ValueError beyond."""
    if not 0 <= number < 1_000_000_000:  # noqa: PLR2004 - the largest that has words here
        message = f"no words for {number}"
        raise ValueError(message)
    if number < len(SMALL):
        return SMALL[number]
    for scale, name in SCALES:
        if number >= scale:
            head, rest = divmod(number, scale)
            return f"{number_words(head)} {name}" + (f" {number_words(rest)}" if rest else "")
    tens, ones = divmod(number, 10)
    return TENS[tens] + (f"-{SMALL[ones]}" if ones else "")
