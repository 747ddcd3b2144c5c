"""Files that are written whole or not at all, and what killed runs leave of them."""

import os
import platform
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from gamecore import check


def write_file(file: Path, text: str) -> None:
    """Write a file whole or not at all: a temporary file first, then one atomic rename.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_file(Path(folder) / "new" / "note.txt", "kept")
    ...     (Path(folder) / "new" / "note.txt").read_text()
    'kept'
    """
    check.text(text, "text")
    with _beside(file) as (handle, temporary, target):
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
        os.chmod(temporary, 0o644)  # mkstemp's files are private
        os.replace(temporary, target)


def try_file(file: Path) -> None:
    """Raise an OSError now if `write_file` could not write a file later; change nothing.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     try_file(Path(folder) / "report.csv")
    ...     os.listdir(folder)
    []
    >>> try_file(Path(os.devnull))
    Traceback (most recent call last):
    ...
    OSError: cannot write ...: it is there already, and no regular file
    """
    with _beside(file) as (handle, _, target):
        os.close(handle)
    tidy(target.parent)


@contextmanager
def _beside(file: Path) -> Iterator[tuple[int, str, Path]]:
    """Give an open temporary file beside a file, and where to put it; nothing of it stays."""
    # What a link points to is written, not the link.
    target = Path(os.path.realpath(check.instance(file, "file", Path)))
    temporary = None
    try:
        if target.exists() and not target.is_file():
            raise OSError("it is there already, and no regular file")
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f"{_mark()}{os.getpid()}-")
        yield handle, temporary, target
    except OSError as error:
        raise OSError(f"cannot write {file}: {error.strerror or error}") from error
    finally:
        if temporary:
            Path(temporary).unlink(missing_ok=True)


def _mark() -> str:
    return f".tmp-{platform.node()}-"


def tidy(folder: Path) -> None:
    """Remove temporary files that killed runs have left in a folder.

    Those of this machine whose process has gone, and any that is a day old.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     left = Path(folder) / f"{_mark()}99999999-abc"
    ...     left.touch()
    ...     tidy(Path(folder))
    ...     left.exists()
    False
    """
    for file in check.instance(folder, "folder", Path).glob(".tmp-*"):
        process = file.name.removeprefix(_mark()).partition("-")[0]
        with suppress(OSError):  # another run tidies too
            gone = process.isdecimal() and not psutil.pid_exists(int(process))
            if gone or time.time() - file.stat().st_mtime > 86400:
                file.unlink()
