"""Slow twins of the confusion matrix: loops over instances, exact fractions, every pair of a positive and a negative."""

from fractions import Fraction


def counts(truth, predicted, classes):
    """Cells and omissions, one instance at a time; None is an omission."""
    table = [[0] * classes for _ in range(classes)]
    omitted = [0] * classes
    for g, p in zip(truth, predicted, strict=True):
        if p is None:
            omitted[g] += 1
        else:
            table[g][p] += 1
    return table, omitted


def margins(table, omitted):
    classes = range(len(table))
    true = [sum(table[r]) + omitted[r] for r in classes]
    said = [sum(table[r][c] for r in classes) for c in classes]
    return [table[r][r] for r in classes], true, said, sum(true)


def r_prime(table, omitted):
    """R′ of every class and of the whole, as fractions; None without instances of the class."""
    right, true, said, w = margins(table, omitted)
    each = [
        Fraction(a, m) - Fraction(s, w) + Fraction(m, w) if m else None
        for a, m, s in zip(right, true, said, strict=True)
    ]
    return each, Fraction(sum(right), w) + Fraction(w - sum(said), w)


def weighted_kappa(table, costs):
    classes = range(len(table))
    _, true, said, w = margins(table, [0] * len(table))
    observed = sum(costs[r][c] * table[r][c] for r in classes for c in classes)
    expected = sum(Fraction(costs[r][c] * true[r] * said[c], w) for r in classes for c in classes)
    return None if not expected else 1 - Fraction(observed) / expected


def joint_classes(truth, primary, alternative, classes):
    """Eight counts a class, in the order of (is of it, primary says it, alternative says it)."""
    cells = [[0] * 8 for _ in range(classes)]
    for g, p, q in zip(truth, primary, alternative, strict=True):
        for c in range(classes):
            cells[c][4 * (g == c) + 2 * (p == c) + (q == c)] += 1
    return cells


def delong(truth, rows):
    """Areas and covariance from all pairs of a positive and a negative, O(mn)."""
    positive = [k for k, t in enumerate(truth) if t]
    negative = [k for k, t in enumerate(truth) if not t]
    m, n = len(positive), len(negative)

    def above(row, i, j):
        return 1.0 if row[i] > row[j] else 0.5 if row[i] == row[j] else 0.0

    v = [[sum(above(row, i, j) for j in negative) / n for i in positive] for row in rows]
    w = [[sum(above(row, i, j) for i in positive) / m for j in negative] for row in rows]
    areas = [sum(each) / m for each in v]

    def covariance(parts, a, b):
        first, second = parts[a], parts[b]
        size = len(first)
        one, two = sum(first) / size, sum(second) / size
        return sum((x - one) * (y - two) for x, y in zip(first, second, strict=True)) / (size - 1)

    models = range(len(rows))
    return areas, [[covariance(v, a, b) / m + covariance(w, a, b) / n for b in models] for a in models]
