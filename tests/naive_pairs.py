"""The slow and obvious twins of clusterings: loops over pairs of instances, as the paper writes them."""

from itertools import combinations
from math import sqrt


def alone(labels, noise):
    """Labels in which every noise instance has one of its own where noise stands alone."""
    return [("alone", i) if noise == "singleton" and label in (-1, "-1") else label for i, label in enumerate(labels)]


def pair_prayatul(truth, primary, alternative, noise="cluster"):
    """The double loop: (BR, RW, WR, BW) over pairs."""
    truth, primary, alternative = (alone(labels, noise) for labels in (truth, primary, alternative))
    cells = [0, 0, 0, 0]
    for i, j in combinations(range(len(truth)), 2):
        together = truth[i] == truth[j]
        p = (primary[i] == primary[j]) == together
        q = (alternative[i] == alternative[j]) == together
        cells[2 * (not p) + (not q)] += 1
    return tuple(cells)


def pair_sums(first, second, noise="cluster"):
    """All pairs, together in the first, in the second, in both."""
    first, second = alone(first, noise), alone(second, noise)
    pairs = list(combinations(range(len(first)), 2))
    one, two = ([labels[i] == labels[j] for i, j in pairs] for labels in (first, second))
    return len(pairs), sum(one), sum(two), sum(a and b for a, b in zip(one, two))


def contributions(truth, primary, alternative, noise="cluster"):
    """h(i): how many more pairs of i the primary has right, as a share of the others."""
    truth, primary, alternative = (alone(labels, noise) for labels in (truth, primary, alternative))
    n, found = len(truth), []
    for i in range(n):
        lead = 0
        for j in range(n):
            if j != i:
                together = truth[i] == truth[j]
                lead += ((primary[i] == primary[j]) == together) - ((alternative[i] == alternative[j]) == together)
        found.append(lead / (n - 1))
    return found


def jackknife_se(truth, primary, alternative):
    """The delete-one jackknife of the Rand difference."""
    n, values = len(truth), []
    for left_out in range(n):
        kept = [k for k in range(n) if k != left_out]
        br, rw, wr, bw = pair_prayatul(*([labels[k] for k in kept] for labels in (truth, primary, alternative)))
        values.append((rw - wr) / (br + rw + wr + bw))
    mean = sum(values) / n
    return sqrt((n - 1) / n * sum((value - mean) ** 2 for value in values))


def wrong_pairs_by_cluster(truth, given):
    """Per true cluster, in order: pairs of its instances put apart, pairs with foreign instances put together."""
    split, merged = dict.fromkeys(sorted(set(truth)), 0), dict.fromkeys(sorted(set(truth)), 0)
    for i, j in combinations(range(len(truth)), 2):
        if truth[i] == truth[j] and given[i] != given[j]:
            split[truth[i]] += 1
        if truth[i] != truth[j] and given[i] == given[j]:
            merged[truth[i]] += 1
            merged[truth[j]] += 1
    return list(split.values()), list(merged.values())
