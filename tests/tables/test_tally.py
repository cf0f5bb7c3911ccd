"""A tally holds what was counted: it adds, restricts and answers the same by either plan."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from tiebreak.errors import ColumnNotFound, NotDefined, TiebreakError
from tiebreak.sources import plan
from tiebreak.sources.ask import Ask, Roles
from tiebreak.sources.memory import MemorySource
from tiebreak.sources.vectors import vector_of
from tiebreak.tables import Tally

LABELS = st.sampled_from(["a", "b", "c"])
ANSWERS = st.sampled_from(["a", "b", "c", None])
MODELS = ("p", "q", "r")


def columns(most=40, least=1):
    row = st.tuples(LABELS, ANSWERS, ANSWERS, ANSWERS)
    return st.lists(row, min_size=least, max_size=most)


def tallied(rows, *, words=False, missing="wrong", weights=None):
    truth, *answers = map(list, zip(*rows, strict=True))
    vectors = {"y": vector_of(truth, "y")} | {m: vector_of(a, m) for m, a in zip(MODELS, answers, strict=True)}
    source = MemorySource(vectors, None if weights is None else ("w", weights))
    ask, roles = Ask(missing=missing), Roles("y", MODELS)
    return plan.by_words(source, ask, roles).tally if words else plan.counted(source, ask, roles).tally


@given(columns())
def test_every_pair_equals_the_papers_loop(rows):
    tally = tallied(rows)
    truth, *answers = zip(*rows, strict=True)
    for p, name in enumerate(MODELS):
        for q, other in enumerate(MODELS):
            br, rw, wr, bw, same = naive.prayatul(truth, answers[p], answers[q])
            found = tally.pair(name, other)
            assert (found.both_right, found.right_wrong, found.wrong_right, found.both_wrong) == (br, rw, wr, bw)
            assert found.both_wrong_same == same
            assert tally.pairs()[p, q].tolist() == [br, rw, wr, bw]


@given(columns())
def test_both_plans_give_the_same_tables(rows):
    joint, words = tallied(rows), tallied(rows, words=True)
    assert (joint.plan, words.plan) == ("outcomes", "words")
    assert (joint.pairs() == words.pairs()).all()
    assert joint.missing == words.missing
    for model in MODELS:
        assert (joint.confusion(model).matrix() == words.confusion(model).matrix()).all()
        assert (joint.confusion(model).omitted() == words.confusion(model).omitted()).all()


@given(columns(), columns())
@pytest.mark.parametrize("words", [False, True])
def test_the_tally_of_two_batches_is_the_sum_of_their_tallies(words, first, second):
    whole, added = tallied(first + second, words=words), tallied(first, words=words) + tallied(second, words=words)
    assert added.n == whole.n
    assert added.missing == whole.missing
    assert set(added.labels) == set(whole.labels)
    assert (added.pairs() == whole.pairs()).all()
    for model in MODELS:
        assert added.confusion(model).matrix().sum() == whole.confusion(model).matrix().sum()
        assert added.confusion(model).right == whole.confusion(model).right
    if not words:
        assert naive.counts_of(added) == naive.counts_of(whole)


@given(columns())
@pytest.mark.parametrize("words", [False, True])
def test_a_restricted_tally_is_the_tally_of_those_models(words, rows):
    few = tallied(rows, words=words).restrict(["r", "p"])
    assert few.models == ("r", "p")
    assert few.pair("r", "p").cells().tolist() == tallied(rows).pair("r", "p").cells().tolist()
    assert few.n == len(rows)


@given(columns(), st.randoms())
def test_the_order_of_rows_changes_nothing(rows, random):
    shuffled = list(rows)
    random.shuffle(shuffled)
    one, other = tallied(rows), tallied(shuffled)
    assert one.labels == other.labels
    assert (one.cells.codes == other.cells.codes).all()
    assert (one.cells.mass.counts == other.cells.mass.counts).all()


@given(columns(), st.data())
def test_weights_are_the_same_in_any_order_to_the_last_bit(rows, data):
    weights = data.draw(st.lists(st.floats(0.001, 1000), min_size=len(rows), max_size=len(rows)))
    order = data.draw(st.permutations(range(len(rows))))
    one = tallied(rows, weights=weights)
    other = tallied([rows[k] for k in order], weights=[weights[k] for k in order])
    assert one.cells.mass.weights.sums.tobytes() == other.cells.mass.weights.sums.tobytes()
    assert one.cells.mass.weights.squares.tobytes() == other.cells.mass.weights.squares.tobytes()
    assert one.total == pytest.approx(sum(weights), rel=1e-12)
    assert one.total_of_squares == pytest.approx(sum(w * w for w in weights), rel=1e-12)


@given(columns(), st.data())
@pytest.mark.parametrize("words", [False, True])
def test_integer_weights_equal_repeated_rows(words, rows, data):
    times = data.draw(st.lists(st.integers(0, 5), min_size=len(rows), max_size=len(rows)).filter(any))
    repeated = [row for row, k in zip(rows, times, strict=True) for _ in range(k)]
    weighted, long = tallied(rows, words=words, weights=times), tallied(repeated, words=words)
    assert weighted.pairs().tolist() == long.pairs().tolist()
    assert weighted.total == long.n


@given(columns())
@pytest.mark.parametrize("words", [False, True])
def test_dropping_leaves_an_instance_out_for_every_model(words, rows):
    complete = [row for row in rows if None not in row]
    if not complete:
        return
    tally = tallied(rows, words=words, missing="drop")
    assert tally.n == len(complete)
    assert tally.excluded == len(rows) - len(complete)
    assert (tally.pairs() == tallied(complete).pairs()).all()
    assert tally.missing == tuple(sum(row[1 + m] is None for row in rows) for m in range(3))


def test_words_do_not_know_which_wrong_label_and_say_so():
    words = tallied([("a", "b", "b", "a"), ("b", "b", "a", "a")], words=True)
    assert words.pair("p", "q").both_wrong_same is None
    with pytest.raises(NotDefined, match="count this pair alone"):
        words.pair_by_class("p", "q")


def test_cells_by_class_sum_to_the_pair():
    tally = tallied([("a", "a", "b", "a"), ("a", "b", "a", "a"), ("b", "b", "b", "b")])
    by_class = tally.pair_by_class("p", "q")
    assert by_class.tolist() == [[0, 1, 1, 0], [1, 0, 0, 0]]


def test_unlike_tallies_do_not_add():
    tally = tallied([("a", "a", "b", "a")])
    with pytest.raises(TiebreakError, match="must be of the same models"):
        tally + tally.restrict(["p", "q"])
    graded = Tally(tally.models, (False, True), tally.cells, None)
    with pytest.raises(TiebreakError, match="both of labels or both of graded answers"):
        tally + graded


@given(columns(), columns())
def test_tallies_of_different_plans_add_to_the_words_plan(first, second):
    """A batch with few outcomes and one with many are still two parts of one comparison."""
    added, whole = tallied(first) + tallied(second, words=True), tallied(first + second)
    assert added.plan == "words"
    assert added.pairs().tolist() == whole.pairs().tolist()
    for model in MODELS:
        assert added.confusion(model).right == whole.confusion(model).right


@given(columns(), st.data())
@pytest.mark.parametrize("words", [False, True])
def test_cells_of_weights_are_exact(words, rows, data):
    """No cell is a rounded difference: each is what its own rows weigh, and none is below 0."""
    weights = data.draw(
        st.lists(st.floats(0.001, 1) | st.just(0.0), min_size=len(rows), max_size=len(rows)).filter(any)
    )
    tally = tallied(rows, words=words, weights=weights)
    truth, *answers = zip(*rows, strict=True)
    for p, name in enumerate(MODELS):
        for q, other in enumerate(MODELS):
            expected = naive.prayatul(truth, answers[p], answers[q], weights)
            found = tally.pair(name, other)
            assert (found.cells() >= 0).all()
            assert found.cells().tolist() == pytest.approx(
                expected[:4], rel=1e-12, abs=1e-15 * max(weights) * len(rows)
            )
            assert [cell == 0 for cell in found.cells()] == [not cell for cell in expected[:4]]
            if not words:
                assert found.both_wrong_same <= found.both_wrong


def test_an_unknown_model_is_named_with_the_known_ones():
    with pytest.raises(ColumnNotFound, match="its models are p, q, r"):
        tallied([("a", "a", "b", "a")]).pair("p", "x")


def test_outcomes_are_checked_when_a_tally_is_built_from_a_mapping():
    with pytest.raises(TiebreakError, match="needs the truth and one per model"):
        Tally.of({("a", "b"): 1}, models=("p", "q"))


def test_labels_of_added_tallies_keep_a_covering_order():
    high_low = Tally.of({("b", "a", "b"): 1}, models=("p", "q"))
    more = Tally.of({("c", "c", "a"): 2}, models=("p", "q"))
    assert (high_low + more).labels == ("a", "b", "c")
    assert naive.counts_of(high_low + more) == {("b", "a", "b"): 1, ("c", "c", "a"): 2}


def test_wide_codes_are_ranked_before_they_are_combined():
    """Ten columns of codes near 2^60 would overflow any product of their spans."""
    from tiebreak.tables import group_columns

    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, (10, 500)) * (2**60 // 3)
    distinct, place = group_columns(codes)
    assert (distinct[:, place] == codes).all()
    assert len({tuple(c) for c in distinct.T.tolist()}) == distinct.shape[1]
    assert distinct.T.tolist() == sorted(distinct.T.tolist())


def test_a_full_table_and_a_sort_give_the_same_confusion_counts():
    import numpy as np

    from tiebreak.tables import outcomes as module

    rng = np.random.default_rng(0)
    codes = np.stack([rng.integers(0, 5, 200), rng.integers(-1, 5, 200), rng.integers(-1, 5, 200)]).astype(np.int8)
    cells = module.Outcomes.merged(codes, module.Mass(rng.integers(1, 9, 200)))
    for model in range(2):
        full = cells.confusion(model, 5)
        module._DENSE_CELLS, before = 0, module._DENSE_CELLS
        try:
            sort = cells.confusion(model, 5)
        finally:
            module._DENSE_CELLS = before
        for name in ("rows", "columns"):
            assert getattr(full, name).tolist() == getattr(sort, name).tolist()
        assert full.mass.counts.tolist() == sort.mass.counts.tolist()
        assert (full.columns == -1).any()
