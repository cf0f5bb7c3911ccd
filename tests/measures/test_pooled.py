"""What models do together equals what a loop over instances finds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from tiebreak.errors import TiebreakError
from tiebreak.measures import against_pool, pool
from tiebreak.tables.bits import pack


@given(st.integers(2, 5), st.integers(1, 60), st.integers(0, 2**32))
def test_pool_equals_the_loop(models, size, seed):
    right = np.random.default_rng(seed).random((models, size)) < 0.6
    rights, wrongs, difficulty = naive.pool(right.T.tolist())
    found = pool(pack(right), np.ones(size, dtype=np.int64))
    assert list(found.unique_rights) == rights
    assert list(found.unique_wrongs) == wrongs
    assert found.difficulty == pytest.approx([count / size for count in difficulty])
    assert found.oracle == pytest.approx(right.any(axis=0).mean())
    assert found.all_right == pytest.approx(right.all(axis=0).mean())


def test_a_pool_of_weights():
    found = pool(pack(np.array([[True, False], [False, False]])), np.array([0.5, 1.5]))
    assert found.unique_rights == (0.5, 0.0)
    assert found.oracle == 0.25


def test_against_the_others():
    right = np.array([[1, 0, 0, 1], [1, 1, 0, 0], [1, 1, 0, 1], [0, 1, 0, 1]], dtype=bool)
    assert against_pool(right, 0, "majority").tolist() == [True, True, False, True]
    assert against_pool(right, 0, "oracle").tolist() == [True, True, False, True]
    assert against_pool(right, 0, "unanimity").tolist() == [False, True, False, False]
    with pytest.raises(TiebreakError, match="how is 'most'"):
        against_pool(right, 0, "most")
