"""The field's own statistics: a line of JSON with a metric's name and tables, a line with its values.

Each answer has the milliseconds of the calculations alone, and for each table a list of cells: a number, or in words
what came instead of one (a NaN, an error's name).
"""

import itertools
import json
import math
import sys
import time
import warnings

import krippendorff
import numpy as np
import pandas as pd
from irrCAC.raw import CAC
from scipy import stats
from sklearn import metrics
from sklearn.calibration import calibration_curve
from statsmodels.stats.inter_rater import fleiss_kappa
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

warnings.filterwarnings("ignore")


def kappa(table, weights=None):
    labels = list(range(table["classes"]))
    return [metrics.cohen_kappa_score(table["first"], table["second"], labels=labels, weights=weights)]


def alpha(table, level):
    return [krippendorff.alpha(reliability_data=table, level_of_measurement=level)]


def gwet(frame, classes):
    return [CAC(frame, categories=list(range(classes)), digits=17).gwet()["est"]["coefficient_value"]]


def per_label(table, which):
    labels = list(range(table["classes"]))
    return metrics.precision_recall_fscore_support(table["truth"], table["predicted"], labels=labels)[which]


def brier(table):
    labels = list(range(len(table["probabilities"][0])))
    return [metrics.brier_score_loss(table["truth"], table["probabilities"], labels=labels, scale_by_half=False)]


def curve(table):
    share, confidence = calibration_curve(table["right"], table["confidence"], n_bins=10)
    return [cell for pair in zip(confidence, share) for cell in pair]


def same(table):
    return table


def as_raters(units):
    """Raters in rows, as krippendorff wants them; None becomes NaN."""
    return np.array(units, dtype=float).T


def jackknife_variance(without, whole):
    return (len(without) - 1) / len(without) * ((np.array(without) - whole) ** 2).sum(axis=0)


def share_ends(table):
    """Wilson's ends of a share: of the effective n by t, or of the clusters where these do not differ."""
    right, clusters = np.array(table["right"], dtype=float), np.array(table["clusters"])
    names, share = np.unique(clusters), right.mean()
    if len(names) < 2:
        raise ValueError("a single cluster")
    variance = jackknife_variance([right[clusters != name].mean() for name in names], share)
    if variance < 1e-24:
        far = stats.norm.ppf(0.975) ** 2 / (len(names) + stats.norm.ppf(0.975) ** 2)
        return [share * (1 - far), share + far * (1 - share)]
    trials = share * (1 - share) / variance * (stats.norm.ppf(0.975) / stats.t.ppf(0.975, len(names) - 1)) ** 2
    return list(proportion_confint(share * trials, trials, method="wilson"))


class Study:
    """Scores as raters × segments × systems; a document's number for each segment."""

    def __init__(self, table):
        self.scores, self.ranks = np.array(table["scores"], dtype=float), np.array(table["ranks"], dtype=float)
        self.documents = np.array(table["documents"])
        centre = self.scores.mean(axis=(1, 2), keepdims=True)
        self.z = (self.scores - centre) / self.scores.std(axis=(1, 2), ddof=1, keepdims=True)
        self.items = self.scores.mean(axis=0)
        pairs = itertools.combinations(range(self.items.shape[1]), 2)
        self.differences = np.array([self.items[:, a] - self.items[:, b] for a, b in pairs]).T
        numbers = range(max(self.documents) + 1)
        self.members = [np.flatnonzero(self.documents == number) for number in numbers]
        self.sums = np.array([self.differences[own].sum(axis=0) for own in self.members])

    def ends(self, columns):
        without = [np.delete(columns, own, axis=0).mean(axis=0) for own in self.members]
        spread = stats.t.ppf(0.975, len(without) - 1) * np.sqrt(jackknife_variance(without, columns.mean(axis=0)))
        return np.stack([columns.mean(axis=0) - spread, columns.mean(axis=0) + spread]).T.ravel()

    def exact(self, sums):
        """All sign patterns, counted by the sums that they lead to; scores' means are halves of whole numbers."""
        whole = np.rint(2 * np.abs(sums)).astype(int)
        ways = np.zeros(2 * whole.sum() + 1)
        ways[whole.sum()] = 1
        for one in whole:
            ways = (np.roll(ways, one) + np.roll(ways, -one)) / 2
        far = abs(int(np.rint(2 * sums.sum())))
        return ways[np.abs(np.arange(len(ways)) - whole.sum()) >= far].sum()

    def all_exact(self):
        return [self.exact(column) for column in self.sums.T]

    def by_scipy(self):
        zero = np.zeros(len(self.sums))
        mean = lambda one, other, axis: np.mean(one - other, axis=axis)
        options = {"permutation_type": "samples", "vectorized": True, "n_resamples": np.inf}
        return [stats.permutation_test((column, zero), mean, **options).pvalue for column in self.sums.T]

    def alpha(self, values, level):
        return alpha(values.reshape(len(values), -1), level)


STUDY = {
    "means of systems": lambda study: study.items.mean(axis=0),
    "means of z": lambda study: study.z.mean(axis=(0, 1)),
    "ends of means' intervals": lambda study: study.ends(study.items),
    "ends of differences' intervals": lambda study: study.ends(study.differences),
    "exact p of pairs": lambda study: study.all_exact(),
    "exact p of pairs, 12 documents": lambda study: study.by_scipy(),
    "Holm's adjusted p": lambda study: multipletests(study.all_exact(), method="holm")[1],
    "α of scores": lambda study: study.alpha(study.scores, "interval"),
    "α of z": lambda study: study.alpha(study.z, "interval"),
    "α of buckets": lambda study: study.alpha(study.ranks, "ordinal"),
    "ρ of scores": lambda study: [stats.spearmanr(*study.scores.reshape(2, -1)).statistic],
    "τ-b of systems": lambda study: [stats.kendalltau(*study.scores.mean(axis=1)).statistic],
}

# What is made of a table beforehand, outside the clock, and what is measured.
METRICS = {
    "Cohen's kappa": (same, kappa),
    "weighted kappa, linear": (same, lambda table: kappa(table, "linear")),
    "weighted kappa, quadratic": (same, lambda table: kappa(table, "quadratic")),
    "Fleiss' kappa": (np.array, lambda table: [fleiss_kappa(table)]),
    "Krippendorff's alpha, nominal": (as_raters, lambda table: alpha(table, "nominal")),
    "Krippendorff's alpha, ordinal": (as_raters, lambda table: alpha(table, "ordinal")),
    "Krippendorff's alpha, interval": (as_raters, lambda table: alpha(table, "interval")),
    "Gwet's AC1": (
        lambda table: (pd.DataFrame(table["units"], dtype=float), table["classes"]),
        lambda pair: gwet(*pair),
    ),
    "Kendall's tau-b": (same, lambda table: [stats.kendalltau(table["first"], table["second"]).statistic]),
    "Spearman's rho": (same, lambda table: [stats.spearmanr(table["first"], table["second"]).statistic]),
    "ends of a share by cluster": (same, share_ends),
    "Shannon entropy": (same, lambda table: [stats.entropy(table)]),
    "accuracy": (same, lambda table: [metrics.accuracy_score(table["truth"], table["predicted"])]),
    "precision": (same, lambda table: per_label(table, 0)),
    "recall": (same, lambda table: per_label(table, 1)),
    "F1": (same, lambda table: per_label(table, 2)),
    "macro F1": (
        same,
        lambda table: [
            metrics.f1_score(
                table["truth"], table["predicted"], labels=list(range(table["classes"])), average="macro"
            )
        ],
    ),
    "balanced accuracy": (
        same,
        lambda table: [metrics.balanced_accuracy_score(table["truth"], table["predicted"])],
    ),
    "Brier score": (same, brier),
    "calibration curve": (same, curve),
    **{name: (Study, calculate) for name, calculate in STUDY.items()},
}


def in_words(value):
    number = float(value)
    return number if math.isfinite(number) else str(number)


def measured(calculate, table):
    try:
        return [value for value in calculate(table)]
    except (ArithmeticError, ValueError) as error:
        return error


def cells(found):
    return [type(found).__name__] if isinstance(found, Exception) else [in_words(value) for value in found]


def main() -> None:
    print("ready", flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        prepare, calculate = METRICS[asked["metric"]]
        tables = [prepare(table) for table in asked["tables"]]
        begun = time.perf_counter()
        found = [measured(calculate, table) for table in tables]
        milliseconds = (time.perf_counter() - begun) * 1000
        print(json.dumps({"milliseconds": milliseconds, "values": [cells(one) for one in found]}), flush=True)


main()
