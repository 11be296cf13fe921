"""Small pictures for a page: an interval on a line, the colour of a number."""

from __future__ import annotations

from collections.abc import Sequence

WIDTH, HEIGHT, EDGE = 180, 20, 6


def interval_plot(mean: float | None, interval: tuple[float, float] | None, rewards: Sequence[float]) -> str:
    """An SVG from 0 to 1: the interval as a bar, the mean as a dot, every reward as a tick; empty of nothing."""
    if mean is None or interval is None:
        return ""
    low, high = interval
    said = f"mean {mean:.3f}, 95 % interval {low:.3f} to {high:.3f}, {len(rewards)} rewards"
    ticks = "".join(f'<line class="tick" x1="{_x(r)}" x2="{_x(r)}" y1="2" y2="18"/>' for r in sorted(set(rewards)))
    middle = HEIGHT // 2
    return (
        f'<svg class="interval" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img">'
        f"<title>{said}</title>"
        f'<line class="axis" x1="{_x(0)}" x2="{_x(1)}" y1="{middle}" y2="{middle}"/>{ticks}'
        f'<rect class="bar" x="{_x(low)}" y="{middle - 3}" width="{(high - low) * (WIDTH - 2 * EDGE):.1f}" height="6"/>'
        f'<circle class="dot" cx="{_x(mean)}" cy="{middle}" r="4"/></svg>'
    )


def _x(value: float) -> str:
    return f"{EDGE + value * (WIDTH - 2 * EDGE):.1f}"


def heat_colour(value: float) -> str:
    """The background of a mean reward: orange at 0, white at a half, blue at 1; dark text can be read on each."""
    hue, strength = (214, 2 * value - 1) if value > 1 / 2 else (28, 1 - 2 * value)
    return f"hsl({hue} 80% {100 - 32 * strength:.0f}%)"
