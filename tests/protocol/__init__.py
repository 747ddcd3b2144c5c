"""What the conformance test of states needs of each game; see ``tests/test_game.py``."""

from pathlib import Path

#: The games that follow the protocol.
FOLLOWERS = sorted(file.stem for file in Path(__file__).parent.glob("[a-z]*.py"))
