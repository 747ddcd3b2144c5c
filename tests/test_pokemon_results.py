"""What judges of the Pokémon battle hand on beside values, and what experiments may not read."""

import math

import pytest

from gamecore.papers import published
from gamecore.papers.experiment import find
from gamecore.papers.pokemon import claims, judges
from gamecore.papers.pokemon.summaries import printed_matrix, raised_shares
from gamecore.papers.store import check_fingerprints
from tests.judged import pokemon as made_up


@pytest.mark.parametrize("name", ["pokemon/matrix-1", "pokemon/table-3"])
def test_experiments_do_not_read_what_is_published(monkeypatch, name):
    monkeypatch.setattr(published, "load", lambda *a: pytest.fail("read"))
    assert check_fingerprints(find(name)) == []


def test_the_printed_matrix_is_in_its_order():
    assert printed_matrix()[:2].tolist() == [
        [0.42, 0.00, 0.42, 0.08, 0.54],
        [1.00, 0.59, 1.00, 0.08, 0.38],
    ]


def test_a_row_of_table_3_averages_ten_draws():
    """Their spread is √10 times that of a row: here rows are 1/4 and 3/4 in turn."""
    rows = made_up.noisy({("clipped", 0.1): {"a1": 0.5}})
    changed = (rows.payoffs == "clipped") & (rows.delta == 0.1)
    rows.loc[changed, "squares_a1"] = 512 * (0.0625 + 0.5625) / 2
    ours = dict(judges.table_3(rows))["pokemon/table-3/0.1/a1"]
    assert (ours.value, ours.n) == (0.5, 10_240)
    assert ours.sd == pytest.approx(math.sqrt(10) * 0.25)


def test_the_error_of_a_rise_comes_from_blocks():
    (rows,) = made_up.biases({("clipped", "attack"): (50, 10)})()
    rise = raised_shares(rows)["clipped", "attack"]
    assert (rise.value, rise.error) == pytest.approx((0.05, 0.01))
    ours = dict(judges.rises(rows))["pokemon/section-6.1.1/rise/attack"]
    assert ours.n == 20_000
    assert ours.sd == pytest.approx(100 * 0.01 * math.sqrt(20_000))


@pytest.mark.parametrize(("payoffs", "study"), [("free", "pokemon/table-3"), ("clipped", "")])
def test_zeros_are_explained_only_if_clipped_payoffs_show_them(payoffs, study):
    found = dict(claims.noise_on_actions(*made_up.zeros(payoffs, 0.2, 480)()))
    ours = found["pokemon/claim/bad-stay-zero"]
    assert (ours.holds, ours.explained_by) == (False, study)


def test_rates_are_of_all_chunks():
    measured = dict(judges.table_4(*made_up.table_4()()))
    assert {ours.n for ours in measured.values()} == {20_000}
    assert len(measured) == 7
