"""Figures: what they show is what the results say, whatever the models are called and however many there are."""

import contextlib
import sys
import warnings
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shown_examples import TASKS, clustered, compared, graded, regressed, rich, scored

import tiebreak as tb
from hostile import NAMES
from tiebreak.comparison import gate as decided
from tiebreak.views import figures
from tiebreak.views.figures import classes, style
from tiebreak.views.figures.tiers import runs, separable
from tiebreak.views.page.svg import NAMES as COLOUR_CLASSES
from tiebreak.views.page.svg import figure_svg

counts = st.integers(0, 1000)


def drawn(figure, *arguments, **options):
    """Draw, and lay the figure out as a notebook would; glyphs that a font lacks are the font's business."""
    ax = figure(*arguments, **options)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")
        ax.figure.canvas.draw()
    return ax


def texts(ax):
    import matplotlib.text

    return [each for each in ax.figure.findobj(matplotlib.text.Text) if each.get_text()]


# Data.


@given(st.tuples(counts, counts, counts, counts).filter(any))
def test_the_areas_of_a_mosaic_are_the_counts(cells):
    data = figures.mosaic(tb.PrayatulMatrix(*cells))
    n = sum(cells)
    for cell, tile in zip(cells, data.tiles, strict=True):
        assert abs(tile.width * tile.height - cell / n) < 1e-12
    (x0, y0, w0, h0), (x1, _, w1, _), (_, y2, _, h2), _ = data.tiles
    assert (x0, x1, y2) == (0, w0, 0)
    assert abs(w0 + w1 - 1) < 1e-12
    assert abs(y0 - h2) < 1e-12
    assert abs(h0 + h2 - 1) < 1e-12


def test_deviations_are_those_of_the_pairs():
    comparison = compared(5)
    data = comparison.plot.deviations.data()
    assert data.models == tuple(model.name for model in comparison.ranked)
    for i, a in enumerate(data.models):
        for j, b in enumerate(data.models):
            if i == j:
                assert np.isnan(data.values[i, j])
                continue
            pair = comparison.pair(a, b)
            assert data.values[i, j] == pair.measures.comparative_deviation
            assert data.settled[i, j] == (pair.p_value_adjusted < 0.05)


def test_a_forest_holds_each_pair_once_the_better_first():
    comparison = compared(4)
    rows = comparison.plot.differences.data().rows
    assert len(rows) == 6
    place = [model.name for model in comparison.ranked]
    for row in rows:
        pair = comparison.pair(row.primary, row.alternative)
        assert place.index(row.primary) < place.index(row.alternative)
        assert (row.value, row.low, row.high) == (float(pair.difference), pair.difference.low, pair.difference.high)
        assert row.settled == (pair.p_value_adjusted < 0.05)


def test_a_forest_of_many_models_is_of_the_leader_and_can_be_of_another():
    comparison = compared(7)
    leader = comparison.leader.name
    assert {row.primary for row in comparison.plot.differences.data().rows} == {leader}
    others = comparison.plot.differences.data(against="model 3").rows
    assert all("model 3" in {row.primary, row.alternative} for row in others)
    assert len(others) == 6
    with pytest.raises(tb.TiebreakError, match="'nobody' is no model"):
        comparison.plot.differences.data(against="nobody")


def test_a_forest_with_a_baseline_is_of_the_baseline():
    comparison = compared(7, baseline="model 2")
    rows = comparison.plot.differences.data().rows
    assert len(rows) == 6
    assert all("model 2" in {row.primary, row.alternative} for row in rows)
    with pytest.raises(tb.TiebreakError, match="leave baseline out"):
        comparison.plot.tiers.data()


@given(st.integers(2, 7).flatmap(lambda k: st.lists(st.booleans(), min_size=k * k, max_size=k * k)))
def test_bars_join_the_longest_runs_of_which_no_two_differ(flat):
    size = int(len(flat) ** 0.5)
    matrix = np.array(flat).reshape(size, size)
    matrix = (matrix | matrix.T) & ~np.eye(size, dtype=bool)

    def alike(first, last):
        return not any(matrix[i, j] for i in range(first, last + 1) for j in range(first, last + 1))

    every = [(a, b) for a in range(size) for b in range(a + 1, size) if alike(a, b)]
    longest = {(a, b) for a, b in every if not any(c <= a and b <= d and (c, d) != (a, b) for c, d in every)}
    assert set(runs(matrix)) == longest


def test_bars_are_none_where_everything_differs():
    comparison = tb.compare(["a"] * 300, {"p": ["a"] * 300, "q": ["a"] * 200 + ["b"] * 100, "r": ["b"] * 300})
    assert comparison.plot.tiers.data().bars == ()
    assert separable(comparison).sum() == 6


def test_tiers_of_a_document_are_those_of_the_comparison():
    comparison = compared(5)
    again = tb.Comparison.from_dict(comparison.to_dict())
    assert again.plot.tiers.data() == comparison.plot.tiers.data()


def test_confusion_matrices_are_those_of_the_tally_on_one_range():
    comparison = compared(3, classes=5)
    data = comparison.plot.confusion.data()
    for name, matrix in zip(data.models, data.counts, strict=True):
        assert (matrix == comparison.tally.confusion(name).matrix()).all()
    assert data.shares.max() <= 1
    change = comparison.plot.confusion_difference.data("model 2", "model 0")
    expected = comparison.tally.confusion("model 2").matrix() - comparison.tally.confusion("model 0").matrix()
    assert (change.changes == expected).all()


def test_of_many_classes_those_with_the_most_errors_are_drawn():
    matrix = np.eye(60, dtype=int) * 10
    matrix[7, 50] = 4
    data = figures.confusions(["m"], list(range(60)), [matrix])
    assert len(data.labels) == 40
    assert {7, 50} <= set(data.labels)
    assert data.left_out == 20


def test_of_many_models_four_matrices_are_drawn_and_the_others_counted():
    assert compared(9).plot.confusion.data().models_left_out == 5


def test_curves_are_in_the_order_of_their_areas():
    profile = regressed(names=["near", "far"], n=80).profile
    data = figures.profile_curves(profile)
    assert data.models == ("near", "far")
    assert (data.low <= data.shares).all()
    assert (data.shares <= data.high).all()
    assert data.shares[0].tolist() == profile.curve(data.taus)["near"]
    many = regressed(models=9).profile
    assert figures.profile_curves(many).low is None
    assert figures.profile_curves(many, bands=True).low is not None


def test_boxes_are_the_quartiles_of_the_models():
    values = np.array([[0.1, np.nan], [0.5, np.nan], [0.9, np.nan], [0.2, np.nan]])
    data = figures.boxes(list("abcd"), ["x", "y"], values)
    assert data.quartiles[0].tolist() == np.quantile([0.1, 0.2, 0.5, 0.9], [0, 0.25, 0.5, 0.75, 1]).tolist()
    assert np.isnan(data.quartiles[1]).all()


@given(st.integers(0, 2**32 - 1), st.integers(2, 3000))
def test_a_scatter_counts_every_instance_once(seed, n):
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 5, n) / 4, rng.integers(0, 5, n) / 4
    data = figures.scatter("a", "b", x, y)
    assert data.counts.sum() == n
    assert (data.lower, data.higher) == (int((x < y).sum()), int((x > y).sum()))


@pytest.mark.parametrize("made", [regressed, scored])
def test_a_scatter_says_who_is_better_how_often(made):
    comparison = made(models=2, n=80)
    (first, *_), (second, *_), _ = comparison.plot.losses.data("model 0", "model 1").grid().rows
    better = np.abs(comparison.losses.values) if made is regressed else -comparison.losses.values
    wins = {
        "model 0 better": int((better[:, 0] < better[:, 1]).sum()),
        "model 1 better": int((better[:, 0] > better[:, 1]).sum()),
    }
    for name, count, _ in comparison.plot.losses.data("model 0", "model 1").grid().rows[:2]:
        assert count.value == wins[name]
    assert {first, second} == set(wins)
    (said,) = [
        each.get_text()
        for each in texts(drawn(comparison.plot.losses, "model 0", "model 1"))
        if "above the line" in each.get_text()
    ]
    above = "model 0" if made is regressed else "model 1"
    assert f"above the line {above} is better: {wins[f'{above} better']};" in said


def test_a_scatter_leaves_out_what_has_no_number_and_says_so():
    data = figures.scatter("a", "b", [1.0, np.nan, 2.0], [1.0, 1.0, np.inf])
    assert (data.equal, data.left_out) == (1, 2)
    with pytest.raises(tb.TiebreakError, match="nothing to draw"):
        figures.scatter("a", "b", [np.nan], [1.0])


def test_agreement_puts_the_most_alike_next_to_each_other():
    values = [[1, 0.1, 0.9, 0.2], [0.1, 1, 0.2, 0.8], [0.9, 0.2, 1, 0.3], [0.2, 0.8, 0.3, 1]]
    data = figures.agreement(list("tabc"), values)
    assert data.labelings == tuple("tbca")
    assert (data.values == data.values.T).all()


@pytest.mark.parametrize("method", ["paper", "corrected", "exact"])
def test_densities_are_those_of_the_laws(method):
    law = tb.TraceDistribution([[62, 36], [51, 51]], method)
    data = law.plot.data()
    (curve,) = data.curves
    assert (curve.y == law.pdf(curve.x)).all()
    step = np.diff(curve.x)
    assert abs((curve.y[:-1] * step).sum() - 1) < 0.01
    eigen = tb.EigenvalueDistribution([[62, 36], [51, 51]], method).plot.data()
    assert [each.name for each in eigen.curves] == ["largest", "smallest"]
    for each in eigen.curves:
        area = (each.y[:-1] * np.diff(each.x)).sum() if each.steps else np.trapezoid(each.y, each.x)
        assert abs(area - 1) < 1e-3


def test_distribution_functions_end_at_one():
    matrix = [[9, 1, 0], [2, 8, 1], [0, 2, 7]]
    for law in (tb.TraceDistribution(matrix, "exact"), tb.EigenvalueDistribution(matrix, "corrected")):
        for curve in law.plot.data(curve="cdf").curves:
            assert (np.diff(curve.y) >= 0).all()
            assert abs(curve.y[-1] - 1) < 1e-3


def figures_of(comparison):
    """The figures that a comparison has, by name, and what each shows."""
    for name in comparison.plot.names:
        with contextlib.suppress(tb.TiebreakError):
            yield name, getattr(comparison.plot, name).data()


# What a comparison of each task has beside what every one has.
EVERY = {"tiers", "differences"}
OWN = {
    "classification": {
        "prayatul",
        "deviations",
        "confusion",
        "confusion_difference",
        "r_prime",
        "r_prime_boxes",
        "spectrum",
        "profile",
        "roc",
    },
    "correct": {"prayatul", "deviations"},
    "regression": {"prayatul", "deviations", "profile", "losses"},
    "regression without a tolerance": {"profile", "losses"},
    "squared": {"prayatul", "deviations", "profile", "losses"},
    "scores": {"profile", "losses"},
    "clustering": {"prayatul", "deviations", "agreement"},
}


@pytest.mark.parametrize("task", TASKS)
def test_every_record_is_also_a_table(task):
    found = dict(figures_of(TASKS[task](models=3)))
    assert set(found) == EVERY | OWN[task]
    for name, data in found.items():
        grid = data.grid()
        assert grid.rows
        assert all(len(row) == len(grid.header) == len(grid.align) for row in grid.rows), name


def test_places_are_those_of_their_records():
    comparison = rich(models=2)
    for held in (comparison.class_differences("model 0", "model 1"), comparison.cell_differences("model 0", "model 1"),
                 comparison.slices[0]):  # fmt: skip
        rows = held.plot.data().rows
        records = [
            each for each in (held.ranked() if held is comparison.slices[0] else held) if each.p_value == each.p_value
        ]
        assert sorted(row.value for row in rows) == sorted(float(each.difference) for each in records[: len(rows)])
        assert all(len(row) == 7 for row in held.plot.data().grid().rows)


def test_of_many_classes_those_that_differ_most_are_drawn():
    values = np.full((2, 90), 0.5)
    values[0, [3, 80]] = 0.9
    for data in (figures.by_class(["a", "b"], range(90), values), figures.boxes(["a", "b"], range(90), values)):
        assert len(data.labels) == 40
        assert {3, 80} <= set(data.labels)
        assert data.classes_left_out == 50
        drawn(style_figure(data, figures.draw_by_class if isinstance(data, figures.ByClass) else figures.draw_boxes))


def test_losses_are_drawn_as_they_are():
    data = TASKS["squared"](models=2, n=50).plot.tiers.data()
    assert data.lower_is_better
    assert all(each.score > 0 for each in data.models)
    assert "lower is better" in figures.draw_tiers(data, style.axes(None, data.size)).get_xlabel()


# Drawing.


@pytest.mark.parametrize("models", [2, 5, 50])
def test_every_figure_is_drawn_of_any_number_of_models(models):
    import matplotlib.pyplot as plt

    comparison = rich(models=models, n=200, classes=6)
    for held in (comparison, comparison.costed, regressed(models=models, n=100), scored(models=models, n=100),
                 clustered(models=min(models, 12), n=60), graded(models=models, n=60)):  # fmt: skip
        for name, _ in figures_of(held):
            ax = drawn(getattr(held.plot, name))
            assert len(texts(ax)) > 2, name
            plt.close(ax.figure)
    drawn(comparison.plot.r_prime, kind="radar")
    drawn(clustered(models=min(models, 12), n=60, truth=False).plot)


def style_figure(data, draw):
    return figures.Figure(lambda: data, draw)


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_labels_are_data(name):
    names = [name, name + "2", "plain"]
    comparison = rich(names=names, labels=[name, "b", "c"], n=60, parts=(name, "night"))
    held = [getattr(comparison.plot, figure) for figure, _ in figures_of(comparison)]
    held += [comparison.slices[0].plot, comparison.class_differences(*names[:2]).plot, regressed(names=names, n=30).plot.losses,
             scored(names=names, n=30).plot.profile, clustered(names=names, n=30).plot.agreement]  # fmt: skip
    for figure in held:
        ax = drawn(figure)
        for text in texts(ax):
            assert not text.get_parse_math() or "$" not in text.get_text()
            assert not text.get_usetex()
            assert len(text.get_text()) < 700
            assert not any(mark in text.get_text() for mark in "\x1b\x00\u202e\r\t")


def test_a_figure_draws_on_the_axes_it_is_given():
    import matplotlib.pyplot as plt

    _, (left, right) = plt.subplots(1, 2)
    comparison = compared()
    assert comparison.plot.differences(ax=left) is left
    assert comparison.plot.prayatul("model 0", "model 2", ax=right) is right
    assert comparison.plot(ax=left) is left


DEGENERATE = {
    "one class": ((["a"] * 9), {"p": ["a"] * 9, "q": ["a"] * 5 + ["b"] * 4}),
    "equal models": (list("aab"), {"p": list("aab"), "q": list("aab")}),
    "all wrong": (list("aab"), {"p": list("bba"), "q": list("bba")}),
    "one instance": (["a"], {"p": ["a"], "q": ["b"]}),
    "one right, one wrong": (list("aab"), {"p": list("aab"), "q": list("bba")}),
}


@pytest.mark.parametrize("case", DEGENERATE)
def test_degenerate_comparisons_are_drawn_or_refused_in_one_line(case):
    comparison = tb.compare(*DEGENERATE[case])
    for name in comparison.plot.names:
        if name in {"tiers", "differences", "prayatul", "deviations", "confusion", "confusion_difference"}:
            drawn(getattr(comparison.plot, name))
            continue
        with contextlib.suppress(tb.TiebreakError):
            drawn(getattr(comparison.plot, name))


def test_other_results_have_figures_and_say_which():
    comparison = compared()
    pair = comparison.pair("model 0", "model 1")
    drawn(pair.plot)
    drawn(pair.plot.differences)
    drawn(pair.prayatul.plot)
    gate = decided(comparison, baseline="model 1", candidate="model 0", margin=0.01)
    assert drawn(gate.plot) is not None
    assert gate.plot.data().margin == 0.01
    drawn(tb.TraceDistribution([[3, 1], [1, 3]]).plot)
    assert repr(pair.plot) == "<figures of a Pair: prayatul, differences>"
    with pytest.raises(AttributeError, match="a Pair has no figure 'tiers': it has prayatul, differences"):
        pair.plot.tiers
    with pytest.raises(tb.TiebreakError, match="nothing draws a Superiority"):
        pair.superiority.plot


def test_parts_of_a_comparison_have_figures():
    comparison = rich(models=2)
    parts = {"confusion": comparison.model("model 0").confusion, "profile": comparison.profile, "agreement": clustered(truth=False),
             "confusion_difference": comparison.confusion_difference("model 0", "model 1"),
             "differences": comparison.class_differences("model 0", "model 1")}  # fmt: skip
    for first, part in parts.items():
        assert part.plot.names[0] == first
        drawn(part.plot)
    drawn(parts["confusion"].plot.r_prime, kind="radar")


def test_what_a_comparison_does_not_carry_is_refused_with_the_way_to_have_it():
    comparison = compared()
    for name, words in {
        "profile": "--task regression",
        "losses": "a Losses is of numbers",
        "agreement": "of clusterings",
        "roc": "--proba",
    }.items():
        with pytest.raises(tb.TiebreakError, match=words):
            getattr(comparison.plot, name).data()
    for name in ("r_prime", "confusion", "confusion_difference", "spectrum"):
        with pytest.raises(tb.TiebreakError, match="confusion matrices need labels, and the task is correct"):
            getattr(graded().plot, name).data()
    with pytest.raises(tb.TiebreakError, match="a radar needs three classes"):
        compared(models=2, classes=2).plot.r_prime(kind="radar")
    with pytest.raises(tb.TiebreakError, match="kind is 'pie'"):
        classes.by_class(["a"], ["x"], [[1.0]], kind="pie")
    with pytest.raises(tb.TiebreakError, match="two models, and 1 are named"):
        comparison.plot.prayatul("model 0")


def test_without_matplotlib_one_line_says_what_to_install(monkeypatch):
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "matplotlib.pyplot", None)
        with pytest.raises(
            tb.TiebreakError, match=r"^figures need matplotlib, which is not installed: pip install 'tiebreak\[plot\]'$"
        ):
            compared().plot.tiers()
        assert compared().plot.tiers.data().models


# Looks.


def contrast(one, other):
    light, dark = sorted((style.luminance(one), style.luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_numbers_on_cells_can_be_read():
    for step in range(-style.LEVELS, style.LEVELS + 1):
        assert contrast(style.heat(step), style.on(step)) >= 4.5, step
    assert contrast(style.GREY, style.MUTED) >= 4.5


def test_shades_grow_darker_and_differ_in_black_and_white():
    for sign in (1, -1):
        greys = [style.luminance(style.heat(sign * step)) for step in range(style.LEVELS + 1)]
        assert all(lighter > darker for lighter, darker in pairwise(greys))


def test_models_differ_by_more_than_colour():
    assert len(set(style.MARKERS)) == len(style.COLOURS) == len(set(style.HATCHES))
    assert len(set(map(str, style.LINES))) == len(style.LINES)


def test_every_colour_of_a_figure_has_a_class_on_the_page():
    comparison, numbers = rich(models=5), regressed(models=5)
    draws = {"tiers": figures.draw_tiers, "differences": figures.draw_forest, "deviations": figures.draw_deviations,
             "prayatul": figures.draw_mosaic, "confusion": figures.draw_confusions, "r_prime": figures.draw_by_class,
             "r_prime_boxes": figures.draw_boxes, "profile": figures.draw_curves, "losses": figures.draw_scatter,
             "confusion_difference": figures.draw_confusion_change, "spectrum": figures.draw_spectrum,
             "roc": figures.draw_roc, "agreement": figures.draw_agreement}  # fmt: skip
    held = [*figures_of(comparison), *figures_of(numbers), *figures_of(clustered(models=4))]
    assert {name for name, _ in held} == set(draws)
    for name, data in held:
        svg = figure_svg(draws[name], data, "k", "t")
        assert "#" not in svg.replace('href="#', "").replace("url(#", ""), name
        assert svg == figure_svg(draws[name], data, "k", "t")
    assert len(set(COLOUR_CLASSES.values())) == len(COLOUR_CLASSES)
