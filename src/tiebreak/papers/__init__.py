"""Papers: every published table recomputed, figure by figure, with the reason where it does not agree.

What can be run again is run again; what cannot is held against the identities that its own figures must obey.
"""

from tiebreak.papers.ledger import Figure, Ledger, PaperTable


def all_tables(*, seeds: int = 100) -> Ledger:
    """Recompute the tables of every paper this version implements; `seeds` for learners left unseeded in print.

    Examples
    --------
    >>> all_tables(seeds=1).tables[0].title
    'Prayatul matrix of classifiers, Table 1'
    """
    from tiebreak.papers import classifiers, clusterings, confusion, profiles, spectra

    papers = (confusion, clusterings, spectra, profiles)
    return Ledger((*classifiers.tables(seeds=seeds), *(table for paper in papers for table in paper.tables())))


__all__ = ["Figure", "Ledger", "PaperTable", "all_tables"]
