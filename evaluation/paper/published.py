"""The figures of tables 1 to 5 and 18 to 20 as Hammerton et al. published them."""

from collections.abc import Mapping
from typing import Any, Final

Percentages = tuple[float, ...]
"""Percentages of pairs in the ten ranges of similarity, from [0.0, 0.1) to [0.9, 1.0]."""

DISTRIBUTIONS: Final[Mapping[tuple[int, str, str], Percentages]] = {
    (1, "mendeley", "same"): (0.26, 0.09, 0.09, 0.16, 0.05, 0.05, 0.07, 2.34, 2.91, 93.96),
    (1, "mendeley-citation", "same"): (0.34, 0.12, 0.10, 0.15, 0.28, 0.64, 1.13, 1.76, 3.15, 92.31),
    (1, "mendeley-title", "same"): (0.10, 0.17, 0.28, 0.07, 0.05, 0.05, 0.06, 0.07, 0.13, 99.01),
    (2, "mendeley", "same"): (4.46, 1.24, 1.46, 2.53, 3.55, 4.47, 3.36, 78.93, 0.0, 0.0),
    (2, "mendeley-citation", "same"): (4.39, 1.75, 2.75, 4.36, 6.39, 11.15, 13.34, 13.56, 13.97, 28.32),
    (2, "mendeley-title", "same"): (1.99, 2.31, 1.44, 0.96, 1.22, 1.74, 1.87, 1.46, 1.73, 85.28),
    (3, "mendeley", "same"): (0.01, 0.03, 0.06, 0.30, 1.31, 2.95, 2.79, 63.98, 1.53, 27.05),
    (3, "mendeley", "different"): (87.72, 11.60, 0.53, 0.15, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    (3, "mendeley-levenshtein", "same"): (0.0, 0.0, 0.0, 0.0, 0.0, 0.25, 2.90, 64.03, 4.80, 28.01),
    (3, "mendeley-levenshtein", "different"): (1.10, 57.28, 39.74, 1.51, 0.36, 0.01, 0.0, 0.0, 0.0, 0.0),
    (5, "mendeley", "same"): (0.29, 0.83, 0.88, 1.14, 1.46, 1.84, 2.02, 19.54, 5.14, 66.85),
    (5, "mendeley", "different"): (89.33, 10.41, 0.20, 0.02, 0.0, 0.0, 0.0, 0.04, 0.0, 0.0),
    (18, "mendeley", "same"): (0.08, 0.79, 1.66, 2.37, 3.18, 4.27, 4.36, 31.58, 9.30, 42.41),
    (18, "mendeley", "different"): (2.96, 47.49, 30.02, 7.78, 3.12, 1.04, 0.30, 5.17, 0.19, 1.92),
}
"""By table, metric and class of pairs."""

RESULTS: Final[Mapping[int, Mapping[str, tuple[Any, ...]]]] = {
    4: {
        "validated, fingerprint": (1.00, 0.98, 0.99, 1.025, 1.019, "0.00%", "0.00%"),
        "raw, fingerprint": (1.00, 0.98, 0.99, 1.071, 1.134, "0.00%", "0.00%"),
        "validated, bigrams": (1.00, 0.98, 0.99, 1.212, 1.05, "0.11%", "0.74%"),
        "imported, bigrams": (1.00, 1.00, 1.00, None, None, "3.30%", "4.67%"),
    },
    19: {
        "fingerprint, 0.5": (0.9877, 0.9751, 0.9813, "44.1%", "0.00%", "0.00%"),
        "bigrams 40, 0.5": (0.9802, 0.9760, 0.9781, "42.9%", "0.01%", "0.30%"),
        "bigrams 40, 0.6": (0.9907, 0.9457, 0.9677, "45.1%", "0.00%", "0.44%"),
        "bigrams 20, 0.5": (0.9799, 0.9771, 0.9785, "41.4%", "0.01%", "0.28%"),
        "bigrams 10, 0.5": (0.9799, 0.9775, 0.9786, "43.1%", "0.03%", "1.46%"),
    },
    20: {
        "fingerprint, 0.5": (0.9176, 0.9124, 0.9150, "43.3%", "0.01%", "0.17%"),
        "bigrams 10, 0.5": (0.9207, 0.8779, 0.8988, "45.0%", "0.00%", "0.00%"),
    },
}
"""By table and settings: precision, recall, F1; then, in table 4, ids per cluster and clusters per id, in tables 19
and 20 the canonical documents as a share of all; last, duplicate and non-duplicate pairs that were skipped."""
