"""What every test run needs: Ctrl-C that works, and the slowest kernels to compile at its end."""

import signal

import pytest
from numba.core import event

from benchmarks.startup import Clock
from tests.chromium import axe, browser, site, visit  # noqa: F401, for the browser tests

CLOCK = Clock()
collect_ignore = ["plain"]  # scripts, run by test_installed with and without numba's jit


def pytest_configure(config):
    event.register("numba:compile", CLOCK)
    # A shell starts background jobs with Ctrl-C ignored, and their children inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):  # this process works for another one
        session.config.workeroutput["compiled"] = CLOCK.seconds


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    CLOCK.add(getattr(node, "workeroutput", {}).get("compiled", {}))


def pytest_terminal_summary(terminalreporter):
    slowest = sorted(CLOCK.seconds.items(), key=lambda item: -item[1])[:5]
    if slowest:
        count, total = len(CLOCK.seconds), sum(CLOCK.seconds.values())
        words = [f"{name} {seconds:.1f} s" for name, seconds in slowest]
        terminalreporter.write_line(
            f"{count} kernels compiled, {total:.0f} s; the slowest: {', '.join(words)}"
        )
