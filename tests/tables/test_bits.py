"""Packed bits count what a loop over instances counts."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tiebreak.tables import bits


@st.composite
def patterns(draw):
    models, size = draw(st.integers(1, 6)), draw(st.integers(1, 200))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    return rng.random((models, size)) < 0.6, rng.integers(0, draw(st.sampled_from([2, 1000, 2**40])), size)


@given(patterns())
def test_joint_right_is_the_sum_over_instances_where_both_are_right(case):
    right, counts = case
    expected = [[int(counts[p & q].sum()) for q in right] for p in right]
    assert bits.joint_right(bits.pack(right), counts).tolist() == expected


@given(patterns())
def test_pack_and_unpack_are_inverse(case):
    right, _ = case
    assert (bits.unpack(bits.pack(right), right.shape[1]) == right).all()


def test_patterns_of_many_and_of_few_instances_are_added(monkeypatch):
    """Few are left after two digits, and closed up over several blocks."""
    monkeypatch.setattr(bits, "_UNPACKED", 1000)
    rng = np.random.default_rng(2)
    right = rng.random((3, 5000)) < 0.6
    for share in (0.02, 0.3):
        counts = np.where(rng.random(5000) < share, rng.integers(1, 2**30, 5000), rng.integers(0, 3, 5000))
        expected = [[int(counts[p & q].sum()) for q in right] for p in right]
        assert bits.joint_right(bits.pack(right), counts).tolist() == expected
        chosen = counts > 2
        assert (bits.unpack(bits._only(bits.pack(right), chosen), int(chosen.sum())) == right[:, chosen]).all()


def test_blocks_cover_every_pattern_once(monkeypatch):
    """Also when there are many blocks and the last one is ragged."""
    monkeypatch.setattr(bits, "_UNPACKED", 1000)
    right = np.random.default_rng(0).random((3, 1000)) < 0.5
    parts = list(bits.blocks(bits.pack(right), 1000))
    assert len(parts) > 1
    assert (np.concatenate([part for _, part in parts], axis=1) == right).all()
    assert [place.start for place, _ in parts[1:]] == [place.stop for place, _ in parts[:-1]]


def test_many_blocks_of_words_add_up(monkeypatch):
    right = np.random.default_rng(1).random((4, 5000)) < 0.5
    whole = bits.joint_right(bits.pack(right), np.ones(5000, dtype=np.int64))
    monkeypatch.setattr(bits, "_BLOCK", 8)
    assert (bits.joint_right(bits.pack(right), np.ones(5000, dtype=np.int64)) == whole).all()
