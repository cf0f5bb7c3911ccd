"""The slow and obvious twins: every fast path of the package has one here, written as the papers write it."""

from collections import Counter
from fractions import Fraction


def missing(value):
    return value is None or value != value


def prayatul(truth, primary, alternative, weights=None):
    """The paper's own loop over instances, with both-wrong split; returns (BR, RW, WR, BW, BW_same)."""
    weights = weights or [1] * len(truth)
    br = rw = wr = bw = same = 0
    for g, p, q, w in zip(truth, primary, alternative, weights, strict=True):
        p_right = not missing(p) and p == g
        q_right = not missing(q) and q == g
        if p_right and q_right:
            br += w
        elif p_right:
            rw += w
        elif q_right:
            wr += w
        else:
            bw += w
            same += w if not missing(p) and p == q else 0
    return br, rw, wr, bw, same


def outcomes(truth, models):
    """Distinct outcomes and how often, None for every missing value."""
    rows = zip(truth, *models, strict=True)
    return Counter(tuple(None if missing(value) else value for value in row) for row in rows)


def measures(br, rw, wr, bw):
    """The five measures as exact fractions; None where undefined."""
    n, decided = br + rw + wr + bw, br + rw + wr
    return (
        Fraction(rw - wr, rw + wr) if rw + wr else Fraction(0),
        Fraction(br + rw - bw, n),
        Fraction(br + rw, decided) if decided else None,
        Fraction(br + rw - wr, decided) if decided else None,
        Fraction(br + rw - wr, n),
    )


def all_tables(most):
    """Every table of up to `most` instances."""
    for n in range(1, most + 1):
        for br in range(n + 1):
            for rw in range(n - br + 1):
                for wr in range(n - br - rw + 1):
                    yield br, rw, wr, n - br - rw - wr


def pool(right_rows):
    """Unique rights, unique wrongs, and how many instances 0, 1, … models get wrong; rows are instances."""
    models = len(right_rows[0])
    rights, wrongs, difficulty = [0] * models, [0] * models, [0] * (models + 1)
    for row in right_rows:
        difficulty[models - sum(row)] += 1
        for m in range(models):
            others = [row[k] for k in range(models) if k != m]
            rights[m] += row[m] and not any(others)
            wrongs[m] += (not row[m]) and all(others)
    return rights, wrongs, difficulty


def counts_of(tally):
    """A joint tally as the same kind of mapping that `outcomes` returns."""
    label = dict(enumerate(tally.labels)) | {-1: None}
    columns = tally.cells.codes.T.tolist()
    return Counter({tuple(label[c] for c in codes): n for codes, n in zip(columns, tally.cells.mass.counts.tolist())})
