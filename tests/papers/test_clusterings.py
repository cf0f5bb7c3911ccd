"""The published tables of clusterings: what agrees, what does not, and that every disagreement says why."""

import pytest

from tiebreak.papers import all_tables, clusterings
from tiebreak.papers.clusterings import shipped_labels


@pytest.fixture(scope="module")
def tables():
    return clusterings.tables()


def test_all_but_one_figure_of_table_1_and_all_of_table_2_are_reproduced(tables):
    assert [(table.agreeing, len(table.figures)) for table in tables] == [(179, 180), (36, 36), (179, 180), (36, 36)]
    for table in (tables[0], tables[2]):
        (wrong,) = (figure for figure in table.figures if not figure.agrees)
        assert (wrong.where, wrong.name, wrong.published) == ("slanted blobs, Spectral–KMeans", "σ_c", "0.9479")
        assert round(wrong.low, 4) == 0.9474
        assert "only changes the sign" in wrong.note


def test_running_again_gives_the_shipped_clusters():
    again, shipped = clusterings.run_again(), shipped_labels()
    for data, labels in again.items():
        for name, given in labels.items():
            renamed = {}
            for one, two in zip(given.tolist(), shipped[data][name].tolist()):
                assert renamed.setdefault(one, two) == two, (data, name)


def test_every_row_gives_its_pairs_and_what_chance_leaves_of_it(tables):
    notes = {figure.where: figure.note for figure in tables[0].figures if figure.name == "σ_c"}
    assert notes["moons, BIRCH–KMeans"].startswith("pairs (799881, 127894, 36445, 160030)")
    assert notes["circles, BIRCH–KMeans"].endswith("adjusted Rand of BIRCH 0.0055")


def test_raw_rates_stand_beside_the_accuracy_after_matching(tables):
    notes = {figure.where: figure.note for figure in tables[1].figures if figure.name == "accuracy"}
    assert notes["moons, Spectral"].endswith("the accuracy is 1.0000")
    mixed = {figure.name: figure.note for figure in tables[1].figures if figure.where == "slanted blobs, DBSCAN"}
    assert "noise being one of them" in mixed["precision"]
    assert "weighted" in mixed["recall"]


def test_other_clusters_are_explained_and_not_hidden():
    labels = {data: dict(columns) for data, columns in shipped_labels().items()}
    labels["NM"]["KMeans"] = labels["NM"]["KMeansFull"]
    labels["NM"]["BIRCH"] = labels["NM"]["truth"]
    table = clusterings._table_1(labels, "", "")
    for figure in table.figures:
        if figure.agrees is not True:
            assert figure.note, figure
    unseeded = {figure.where for figure in table.figures if figure.note == clusterings._UNSEEDED}
    assert "moons, KMeans–DBSCAN" in unseeded


def test_all_papers_are_in_one_ledger():
    titles = [table.title for table in all_tables(seeds=2).tables]
    papers = ("Prayatul matrix of classifiers", "R′ index", "Prayatul matrix of clusterings", "Performance profiles")
    assert all(any(title.startswith(paper) for title in titles) for paper in papers)
    assert len(set(titles)) >= len(titles) - 2, "the clusterings are shown twice: shipped, and run again"
