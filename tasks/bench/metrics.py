"""The field's own statistics: a line of JSON with a metric's name and tables, a line with its values.

Each answer has the milliseconds of the calculations alone, and for each table a list of cells: a number, or in words
what came instead of one (a NaN, an error's name).
"""

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
