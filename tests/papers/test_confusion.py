"""The tables of the R′ paper: what agrees, what does not, and that every disagreement says why."""

import pytest

from tiebreak.papers.confusion import CIFAR, TABLE_5, _trained, corrected, tables


@pytest.fixture(scope="module")
def found():
    return {table.title.rpartition(", ")[2]: table for table in tables()}


def disagreeing(table):
    return {(figure.where, figure.name) for figure in table.figures if figure.agrees is False}


def test_every_table_of_a_printed_matrix_agrees(found):
    for title, count in (("Table 3", 6), ("Table 4", 10), ("Table 7", 22), ("Table 9", 24)):
        assert found[title].agreeing == len(found[title].figures) == count


def test_the_two_misprints_of_table_8(found):
    assert disagreeing(found["Table 8"]) == {("CIFAR-10, before", "cell Cat, Cat"), ("CIFAR-10, after", "R′ Frog")}
    assert (corrected(CIFAR["before"]).sum(axis=1) == 1000).all()
    assert corrected(CIFAR["before"])[:, 3].sum() == 800
    assert sum(map(sum, CIFAR["before"])) == 10_010
    assert (corrected(CIFAR["after"]) == CIFAR["after"]).all()


def test_the_row_of_table_5_that_is_the_recall_of_digit_0(found):
    assert disagreeing(found["Table 5"]) == {(f"#{k}", "AP") for k in range(1, 11)}
    for printed in TABLE_5["AP"]:
        numerator = round(float(printed) * 980)
        assert f"{numerator / 980:.4f}" == printed


def test_table_6_follows_from_table_5_but_for_the_accuracy(found):
    assert disagreeing(found["Table 6"]) == {("R′ and AP", "CC"), ("R′ and AP", "RMSE")}


def test_every_disagreement_and_every_gap_says_why(found):
    for table in found.values():
        for figure in table.figures:
            assert figure.agrees or figure.note, figure


def test_the_experiment_run_again_shows_what_the_paper_saw():
    before, after = _trained(reduced=True), _trained(reduced=False)
    assert after.r_prime("overall") > before.r_prime("overall")
    for digit in (4, 6, 8):
        assert after.r_prime()[digit] > before.r_prime()[digit]
    assert after.r_prime("overall") == after.accuracy
