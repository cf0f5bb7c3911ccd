"""The tables of paper 003: what agrees with what, that every disagreement says why, and the experiment run again."""

import pytest

from tiebreak.papers import Ledger, spectra
from tiebreak.papers.ledger import NOT_PRINTED


@pytest.fixture(scope="module")
def tables():
    return spectra.tables()


def rows(table):
    return {(figure.where, figure.name): figure for figure in table.figures}


def test_the_worked_example_is_reproduced(tables):
    example = rows(tables[0])
    assert tables[0].agreeing == len(tables[0].figures) == 10
    assert example["A − B", "P"].low == pytest.approx(0.849150208760826, abs=1e-12)
    assert example["A − B", "spread"].low == pytest.approx(0.07745966692414834, abs=1e-12)
    assert "0.387" in example["A − B", "P"].note
    assert "0.9279" in example["A − B", "P"].note


def test_the_figure_as_printed_would_be_another():
    from scipy.special import ndtr

    assert 1 - float(ndtr(0.08 / 0.0775**0.5)) == pytest.approx(0.387, abs=5e-4)


def test_no_standard_error_of_the_eigenvalues_law_is_possible_under_its_own_formula(tables):
    for (where, name), figure in rows(tables[1]).items():
        if name == "SE_λ":
            assert figure.agrees is False
            assert figure.low > 3 * float(figure.published), where
        elif name == "SE_L":
            assert (figure.agrees is True) == (where not in {"Heart, DT", "Breast, LR"})


def test_every_difference_agrees_with_table_1(tables):
    differences = [figure for figure in tables[2].figures if figure.name in {"m_L", "m_λ"}]
    assert len(differences) == 36
    assert all(figure.agrees for figure in differences)


def test_most_probabilities_fit_the_wrong_variance(tables):
    probabilities = [figure for figure in tables[2].figures if figure.name == "P_λ"]
    by_theorem = [figure for figure in probabilities if figure.agrees]
    by_lemma = [figure for figure in probabilities if "only the variance of Lemma 4" in figure.note]
    assert (len(probabilities), len(by_theorem), len(by_lemma)) == (18, 6, 10)
    assert {figure.where for figure in probabilities} - {figure.where for figure in by_theorem + by_lemma} == {
        "Heart, XG–LR",
        "Heart, LR–DT",
    }


def test_every_disagreement_and_every_gap_says_why(tables):
    for table in tables:
        for figure in table.figures:
            if figure.agrees is not True and figure.published != NOT_PRINTED:
                assert figure.note, figure


def test_run_again_the_closed_form_never_leaves_the_middle_and_the_two_others_agree(tables):
    again = rows(tables[4])
    places = {where for where, _ in again}
    assert len(places) == 18
    for where in places:
        m, drawn, closed, better = (
            again[where, name].low for name in ("m", "P bootstrap", "P closed form", "p_better")
        )
        assert drawn == pytest.approx(better, abs=0.03), where
        assert 0.4 < closed < 0.6, where
        assert (m > 0) == (closed > 0.5) == (better > 0.5), where
    assert max(again[where, "p_better"].low for where in places) > 0.999


def test_run_again_the_closed_forms_spread_is_no_standard_error(tables):
    again = rows(tables[3])
    for where in {where for where, _ in again}:
        assert again[where, "SE_λ"].low > 8 * again[where, "SE_L"].low


def test_the_same_run_twice_is_the_same(tables):
    for name, (points, labels) in spectra._data().items():
        if name == "two wines":
            tally = spectra._tally(points, labels)
            again = list(spectra._again_2({name: tally}).figures)
            assert again == [figure for figure in tables[4].figures if figure.where.startswith(name)]


def test_what_is_in_no_print_is_shown_without_a_verdict(tables):
    text = str(Ledger(tables))
    assert "Table 2 on other data: 72 figures, none of them in print" in text
    assert "equations 32 to 34: 10 of 10 figures agree" in text
