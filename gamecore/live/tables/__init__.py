"""Kernels of the games that a page plays; each module has a `gamecore.live.plan.GameTable`."""
