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


def ratios(row, floor=0.0, *, scores=False):
    """One instance's ratios to its best, as the definition says; a model without a finite number is at infinity."""
    known = [v for v in row if not missing(v) and abs(v) != float("inf")]
    if not known:
        return [float("inf")] * len(row)
    if scores:
        best = max(known)
        over, under = [best] * len(row), row
    else:
        row = [max(v, floor) if not missing(v) else v for v in row]
        best = min(max(v, floor) for v in known)
        over, under = row, [best] * len(row)
    found = []
    for value, top, bottom in zip(row, over, under, strict=True):
        if missing(value) or abs(value) == float("inf"):
            found.append(float("inf"))
        elif value == best:
            found.append(1.0)
        else:
            found.append(top / bottom if bottom > 0 else float("inf"))
    return found


def profile(rows, tau, weights=None, **how):
    """The share of instances within tau of the best, for each model."""
    weights = weights or [1] * len(rows)
    table = [ratios(row, **how) for row in rows]
    total = sum(weights)
    return [
        sum(w for row, w in zip(table, weights, strict=True) if row[m] <= tau * (1 + 1e-12) and row[m] != float("inf"))
        / total
        for m in range(len(rows[0]))
    ]


def signed_rank_p(differences, zeros="wilcoxon"):
    """The two-sided p-value by going through all signs."""
    from itertools import product

    sizes = [abs(d) for d in differences if d or zeros == "pratt"]
    rank = {v: sum(1 for s in sizes if s < v) + (sizes.count(v) + 1) / 2 for v in sizes}
    kept = [d for d in differences if d]
    ranks = [rank[abs(d)] for d in kept]
    observed = sum(r for r, d in zip(ranks, kept, strict=True) if d > 0)
    sums = [sum(r for r, s in zip(ranks, signs, strict=True) if s) for signs in product([0, 1], repeat=len(kept))]
    low = sum(s <= observed for s in sums) / len(sums)
    high = sum(s >= observed for s in sums) / len(sums)
    return min(1.0, 2 * min(low, high))
