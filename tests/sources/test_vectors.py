"""Columns in memory: every way to codes says the same, and the fast ones are really taken."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from tiebreak.errors import MixedLabels, TiebreakError, UnpairedInstances
from tiebreak.sources import Ask, fused, memory, opened, vectors
from tiebreak.sources.fused import count_codes
from tiebreak.sources.vectors import Text, vector_of


def decoded(vector):
    return [vector.values[code - vector.low] for code in vector.codes.tolist()]


@pytest.mark.parametrize(
    "data",
    [
        [1, 2, 2], ["a", "b", "a"], [True, False, True], [1.5, 2.5, 1.5], (1, 2), [2**70, 1], ["a", None],
        np.array([3, 1], dtype=np.uint8), np.array([2**63, 5], dtype=np.uint64), np.array([-5, 10**9]),
        np.array([1.0, 3.0, 1.0]), np.array(["a", "bc"]), np.array(["a", "b"], dtype=object),
        pd.Series(["a", "b", None]), pd.Series([1, None], dtype="Int64"), pd.Series(["x"], dtype="category"),
        np.array([True, False]),
    ],
)  # fmt: skip
def test_codes_stand_for_the_values(data):
    expected = [None if v is None or v is pd.NA or v != v else v for v in list(data)]
    assert decoded(vector_of(data, "y")) == expected


def test_missing_values_of_every_spelling_are_one():
    values = [None, math.nan, np.nan, pd.NA, float("nan"), 1.0]
    vector = vector_of(values, "y")
    assert decoded(vector) == [None] * 5 + [1.0]
    masked = np.ma.array([1, 2, 3], mask=[False, True, False])
    assert decoded(vector_of(masked, "y")) == [1, None, 3]


def test_whole_floats_become_small_codes_and_broken_ones_do_not():
    whole = vector_of(np.array([1.0, np.nan, 7.0]), "y")
    assert whole.codes.dtype == np.int32
    assert decoded(whole) == [1, None, 7]
    assert decoded(vector_of(np.array([0.5, np.nan, np.inf]), "y")) == [0.5, None, math.inf]
    assert decoded(vector_of(np.array([np.nan, np.nan]), "y")) == [None, None]
    assert decoded(vector_of(np.array([], dtype=float), "y")) == []


def test_levels_of_an_ordered_categorical_keep_their_order():
    levels = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    y, p = pd.Series(["high", "low"], dtype=levels), pd.Series(["low", "low"], dtype=levels)
    tally = opened(y, {"p": p, "q": p}, Ask()).tally
    assert tally.labels == ("low", "mid", "high")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (np.zeros((3, 2)), r"has shape \(3, 2\)"),
        ("abc", "must be a column of values"),
        (3, "must be a column of values"),
        ([[1], [2]], "a label must be one value"),
        ([1, "1"], "never converted"),
        ([True, 1], "never converted"),
    ],
)
def test_what_is_no_column_of_labels_is_refused(data, message):
    with pytest.raises(TiebreakError, match=message):
        vector_of(data, "knn")


def test_the_same_index_in_another_order_is_not_guessed():
    y = pd.Series(["a", "b"], index=[1, 0])
    p = pd.Series(["a", "b"], index=[0, 1])
    with pytest.raises(UnpairedInstances, match="in another order"):
        opened(y, {"p": p, "q": p}, Ask())
    unrelated = pd.Series(["a", "b"], index=[10, 20])
    assert opened(y, {"p": unrelated, "q": unrelated}, Ask()).tally.n == 2


LONG = vectors.LONG_TEXT


def long_text(values, n=LONG + 5):
    out = np.empty(n, dtype=object)
    out[:] = [values[k % len(values)] for k in range(n)]
    return out


def test_long_text_is_counted_by_the_engine_and_never_encoded(monkeypatch):
    """The fast path: Python's encoder must not be needed."""
    y, p, q = long_text(["a", "b", "é", None]), long_text(["a", "b"]), long_text(["b", "a", "é"])
    y[y == None] = "a"  # noqa: E711 elementwise
    expected = naive.outcomes(y.tolist(), [p.tolist(), q.tolist()])

    def refuse(self):
        raise AssertionError("long text was encoded row by row")

    source = opened(y, {"p": p, "q": q}, Ask())
    assert all(isinstance(column, Text) for column in source.source.vectors.values())
    monkeypatch.setattr(memory, "_every", lambda column, step: vector_of(list(column.raw[::step]), "sample"))
    monkeypatch.setattr(Text, "encoded", refuse)
    assert naive.counts_of(source.tally) == expected


@pytest.mark.parametrize("odd", [1, True, math.nan, "\ud800", b"a"])
def test_long_columns_with_anything_else_take_the_exact_path(odd):
    values = long_text(["a", "b"])
    values[-1] = odd
    if isinstance(odd, str) or odd != odd:
        assert not isinstance(vector_of(values, "y"), Text)
    else:
        with pytest.raises(MixedLabels):
            vector_of(values, "y")


def test_long_text_with_missing_values_still_counts():
    y, p = long_text(["a", "b"]), long_text(["a", None, "b"])
    tally = opened(y, {"p": p, "q": y}, Ask(missing="wrong")).tally
    assert naive.counts_of(tally) == naive.outcomes(y.tolist(), [p.tolist(), y.tolist()])


def test_small_codes_are_counted_in_one_fused_pass(monkeypatch):
    """The fast path: no sorting for few labels."""

    def refuse(*_):
        raise AssertionError("few labels were sorted")

    monkeypatch.setattr(fused, "_sparse", refuse)
    rng = np.random.default_rng(0)
    y, p, q = rng.integers(0, 9, (3, 300_000), dtype=np.int8)
    tally = opened(y, {"p": p, "q": q}, Ask()).tally
    assert tally.pair("p", "q").both_right == ((p == y) & (q == y)).sum()


@given(
    st.lists(st.tuples(*[st.integers(-3, 4)] * 3), min_size=1, max_size=80),
    st.sampled_from([np.int8, np.int16, np.int64]),
    st.booleans(),
)
def test_table_and_sorting_count_the_same(rows, dtype, weighted):
    columns = [np.array(column, dtype=dtype) for column in zip(*rows, strict=True)]
    spans = [(-3, 8)] * 3
    weights = np.arange(1, len(rows) + 1) / 3 if weighted else None
    places, mass = fused._dense(columns, spans, 512, weights)
    other_places, other = fused._sparse(columns, spans, weights)
    assert places.tolist() == other_places.tolist()
    assert mass.counts.tolist() == other.counts.tolist()
    if weighted:
        assert mass.weights.limbs.tolist() == other.weights.limbs.tolist()
    found = dict(zip(map(tuple, (places.T - 3).tolist()), mass.counts.tolist(), strict=True))
    assert found == naive.Counter(rows)


def test_blocks_are_added_up(monkeypatch):
    rng = np.random.default_rng(1)
    columns = list(rng.integers(0, 50, (4, 10_000)))
    expected = count_codes(columns, [(0, 50)] * 4)
    monkeypatch.setattr(fused, "BLOCK", 64)
    found = count_codes(columns, [(0, 50)] * 4)
    assert found[0].tolist() == expected[0].tolist()
    assert found[1].counts.tolist() == expected[1].counts.tolist()


def test_keys_wrap_only_where_they_may():
    """Low codes far from zero are subtracted modulo the width of the key."""
    columns = [np.array([100, 101, 100], dtype=np.int8), np.array([-128, -127, -128], dtype=np.int8)]
    places, mass = count_codes(columns, [(100, 2), (-128, 2)])
    assert places.tolist() == [[0, 1], [0, 1]]
    assert mass.counts.tolist() == [2, 1]
    wide = [np.array([2**40, 2**40 + 1]), np.array([7, 7], dtype=np.uint64)]
    assert count_codes(wide, [(2**40, 2), (7, 1)])[1].counts.tolist() == [1, 1]
