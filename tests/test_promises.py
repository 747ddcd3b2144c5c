"""Every promise of the book names a test that exists."""

import re
from pathlib import Path

TESTS = Path(__file__).parent
PAGE = (TESTS.parent / "book" / "promises.md").read_text(encoding="utf-8")


def test_every_promise_has_its_test():
    rows = [line for line in PAGE.splitlines() if line.startswith("| ") and "held by" not in line]
    assert len(rows) > 25
    for row in rows:
        named = re.findall(r"`(test_\w+)::(test_\w+)`", row)
        assert named, row
        for file, test in named:
            text = (TESTS / f"{file}.py").read_text(encoding="utf-8")
            assert f"\ndef {test}(" in text, f"{file}::{test}"
