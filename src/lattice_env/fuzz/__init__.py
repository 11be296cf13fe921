"""Hostile workspaces by number, put before the packaged verifier: none may crash, stall or fool it."""

from .campaign import Campaign, Plan, Trial, run_campaign, shrink

__all__ = ["Campaign", "Plan", "Trial", "run_campaign", "shrink"]
