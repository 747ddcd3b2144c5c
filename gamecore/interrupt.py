"""Ctrl-C in the command: a sentence within two seconds, and at once at the second.

It imports next to nothing, so that Ctrl-C is heeded from the first moment.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress

TYPE_CHECKING = False  # to import it from typing would take longer than all of this
if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator
    from typing import NoReturn

SENTENCE = "interrupted: what is finished is kept, run it again to go on"
#: Seconds after Ctrl-C in which a command may end by itself.
PATIENCE = 1.5
#: Whether Ctrl-C was "told" to Python, and "said" to the user.
HAPPENED: set[str] = set()


def heed() -> None:
    """End within two seconds of Ctrl-C, and at once at the second, whatever runs.

    Python tells the main thread alone, which may be inside a kernel, in an import that swallows it,
    or waiting for threads. So the signal is also written to a socket, from which a thread reads.

    Examples
    --------
    >>> heed.__module__  # it is for the command alone: it ends the process
    'gamecore.interrupt'
    """
    import signal
    import socket
    import threading

    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return  # in the background of a shell it is ignored
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    signal.signal(signal.SIGINT, _interrupt)
    signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    sys.unraisablehook = lambda told: None if HAPPENED else sys.__unraisablehook__(told)
    threading.Thread(target=_end, args=(reader, writer), daemon=True).start()


def _interrupt(number: int, frame: object) -> NoReturn:
    HAPPENED.add("told")
    raise KeyboardInterrupt


def _end(reader: socket.socket, writer: socket.socket) -> NoReturn:
    """Wait for Ctrl-C, then for a second one or until patience ends, and end the process."""
    from signal import SIGINT

    while reader.recv(1)[0] != SIGINT:
        pass
    reader.settimeout(PATIENCE)
    with suppress(TimeoutError):
        reader.recv(1)
    say()
    if "multiprocessing.context" in sys.modules:
        for child in sys.modules["multiprocessing"].active_children():
            child.kill()
    os._exit(130)


def say() -> None:
    """Say once that the command was interrupted.

    Examples
    --------
    >>> "run it again" in SENTENCE
    True
    """
    if "said" not in HAPPENED:
        HAPPENED.add("said")
        os.write(2, f"{SENTENCE}\n".encode())  # no lock, which another thread might hold


@contextmanager
def deaf() -> Iterator[None]:
    """Start processes that do not hear Ctrl-C: a terminal tells all of them, but we end them.

    Examples
    --------
    >>> with deaf():
    ...     "started here"
    'started here'
    """
    import signal

    if hasattr(signal, "pthread_sigmask"):
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    else:
        yield
