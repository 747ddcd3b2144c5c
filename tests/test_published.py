"""Published rows are checked loudly, with file and line."""

import pytest

from gamecore.papers import published

HEADER = ",".join(published.COLUMNS)
CLAIM = "toy/c,toy,section 1,,,claim,,,,,,,{},,,,,"
GOOD = "toy/t1/a,toy,table 1,a,,proportion,0.5,1,100,,,,,,,a note,,"


@pytest.fixture
def toy(tmp_path, monkeypatch):
    (tmp_path / "published").mkdir()
    monkeypatch.setenv("GAMECORE_DATA", str(tmp_path))

    def write(*lines, header=HEADER):
        (tmp_path / "published" / "toy.csv").write_text("\n".join([header, *lines]) + "\n")
        return published.load("toy")

    return write


def test_good_rows(toy):
    claim = "toy/c1,toy,section 2,,,claim,,,,,,,A beats B in over half of our games,,,,,"
    lost = "toy/f1,toy,figure 1,,,redrawn,,,,,,,,,,an image,,"
    derived = "toy/t1/b,toy,table 1,b,,exact,-3,0,,,derived,tie-break,,,,,,"
    rows = toy(GOOD, claim, lost, derived)
    assert [row.kind for row in rows] == ["proportion", "claim", "redrawn", "exact"]
    assert (rows[0].value, rows[0].digits, rows[0].n, rows[0].apart) == (0.5, 1, 100, "")
    assert (rows[3].apart, rows[3].fitted_by, rows[3].value) == ("derived", "tie-break", -3)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (GOOD, "was used before"),
        (GOOD.replace("proportion", "guess"), "unknown kind 'guess'"),
        (GOOD.replace("table 1", ""), "locator is missing"),
        ("toy/c,toy,section 1,,,claim,,,,,,,,,,,,", "claim needs its test"),
        ("toy/c,toy,section 1,,,claim,1,0,,,,,a test,,,,,", "has no value"),
        (GOOD.replace("0.5", ""), "needs value"),
        (GOOD.replace("0.5", "half"), "not a number"),
        (GOOD.replace("100", "-1"), "n must be positive"),
        (GOOD.replace("toy/t1/a", "other/t1/a"), "must both name 'toy'"),
        (GOOD.replace(",100,,", ",100,,yes"), "unknown word 'yes' in apart"),
        (GOOD.replace(",,,a note,,", ",holds,,a note,,"), "both what its verdict was"),
        (GOOD + ",surplus", "expected 18 fields"),
        ("toy/short,toy", "expected 18 fields"),
    ],
)
def test_malformed_rows_name_file_and_line(toy, line, complaint):
    with pytest.raises(ValueError, match=complaint) as error:
        toy(GOOD, line)
    assert "toy.csv:3:" in str(error.value)


def test_header_and_unknown_paper(toy):
    with pytest.raises(ValueError, match=r"toy.csv:1: the header"):
        toy(GOOD, header="id,value")
    with pytest.raises(ValueError, match="no published numbers for 'chess'"):
        published.load("chess")


def test_data_folder_is_found_or_missed_clearly(monkeypatch, tmp_path):
    monkeypatch.delenv("GAMECORE_DATA", raising=False)
    assert (published.data_folder() / "published").is_dir()
    monkeypatch.setenv("GAMECORE_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(FileNotFoundError, match=r"no data folder .*nowhere.* GAMECORE_DATA"):
        published.load()


def test_committed_rows_are_valid():
    assert len(published.load()) > 0


def test_practice_report_is_what_the_reference_program_prints():
    from tests.reference.rps import report

    rows = {row.id: row for row in published.load("rps")}
    for first, second in [("rocky", "nash"), ("copycat", "rocky"), ("copycat", "nash")]:
        for outcome, count in report(first, second).items():
            assert rows[f"rps/report/{first}-{second}/{outcome}"].value == count


def test_limits_of_a_test_are_among_its_words(toy):
    words = "above {least=0.5}, by {errors=2}, in {most=90 %} of {games=20,000}, not {zero=−0.1}"
    [row] = toy(CLAIM.format(f'"{words}"'))
    assert row.test == "above 0.5, by 2, in 90 % of 20,000, not −0.1"
    wanted = {"least": 0.5, "errors": 2, "most": 0.9, "games": 20_000, "zero": -0.1}
    assert row.limits == pytest.approx(wanted)
    for bad in ("{least=many}", "{least}", "least=0.5}"):
        with pytest.raises(ValueError, match="limit"):
            toy(CLAIM.format(bad))
    toy(GOOD)
    with pytest.raises(ValueError, match="no claim is called 'toy/t1/a'"):
        published.limits("toy/t1/a")
