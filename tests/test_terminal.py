"""Games in a terminal, with somebody who types."""

import pytest

from gamecore import cli, terminal


def typed(*words):
    """Return a reader that gives these words, one after the other, and a list of what is said."""
    waiting, said = list(words), []

    def read(prompt):
        if not waiting:
            raise EOFError
        return waiting.pop(0)

    return read, said


def test_a_game_is_played_by_names_and_numbers():
    for word in ("paper", "2"):
        read, said = typed("?", "stone", "value", word)
        end = terminal.play("rps", "rocky", seed=3, read=read, write=said.append)
        assert end.moves[0] == "paper"
        told = "\n".join(said)
        assert "2: paper" in told
        assert "'stone' is no move here" in told
        assert "worth about" in told or "worth 0" in told
        assert "the end: first" in told


def test_who_leaves_is_told_how_to_go_on():
    read, said = typed("quit")
    assert terminal.play("rps", "nash", seat=1, seed=7, read=read, write=said.append).movers
    assert said[-1].strip() == (
        'to go on: gamecore play rps --against nash --seat 1 --seed 7 --moves ""'
    )


def test_the_same_seed_and_moves_are_the_same_game(capsys):
    words = ["play", "rps", "--against", "rocky", "--seed", "4", "--moves", "rock"]
    ends = []
    for _ in range(2):
        assert cli.main(words) == 0
        ends.append(capsys.readouterr().out)
    assert ends[0] == ends[1]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("play chess --against nash", "no game 'chess'"),
        ("play rps --against nobody", "unknown player 'nobody'"),
        ("play rps --against nash --seat 2", "seats of rps are 0 to 1"),
    ],
)
def test_mistakes_are_told(words, complaint, capsys):
    assert cli.main(words.split()) == 2
    assert complaint in capsys.readouterr().err
