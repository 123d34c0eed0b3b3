"""splink 5 on the records of `benchmarks/scale.py`: run by a Python that has splink, not by bibfold's own.

usage: splink_dedupe.py RECORDS.jsonl.gz CLUSTERS.csv
"""

import csv
import gzip
import json
import re
import sys

import duckdb
import pandas as pd
import pyarrow as pa
import splink.comparison_library as comparisons
from splink import DuckDBAPI, Linker, SettingsCreator, block_on

BLOCKS = [block_on("beginning"), block_on("author", "year")]
SAME = 0.5


def main(records: str, clusters: str) -> None:
    """Train on the records themselves, predict, cluster, and write a row for each record."""
    connection = duckdb.connect()
    connection.execute("set threads=2")
    frame = pd.DataFrame(list(_rows(records)), columns=["id", "title", "beginning", "author", "year"])
    frame = frame.astype(object).where(frame.notna(), None)
    database = DuckDBAPI(connection=connection)
    table = database.register(connection.from_arrow(pa.Table.from_pandas(frame, preserve_index=False)))
    settings = SettingsCreator(
        unique_id_column_name="id",
        link_type="dedupe_only",
        blocking_rules_to_generate_predictions=BLOCKS,
        comparisons=[
            comparisons.JaroWinklerAtThresholds("title", [0.97, 0.9, 0.8]),
            comparisons.JaroWinklerAtThresholds("author", [0.9]),
            comparisons.ExactMatch("year"),
        ],
    )
    linker = Linker(table, settings)
    linker.training.estimate_probability_two_random_records_match([block_on("title", "year")], recall=0.7)
    linker.training.estimate_u_using_random_sampling(max_pairs=1e6, seed=1)
    for block in BLOCKS:
        linker.training.estimate_parameters_using_expectation_maximisation(block)
    predicted = linker.inference.predict(threshold_match_probability=SAME)
    found = linker.clustering.cluster_pairwise_predictions_at_threshold(predicted, threshold_match_probability=SAME)
    with open(clusters, "w", newline="", encoding="utf-8") as out:  # noqa: PTH123 - no pathlib needed here
        rows = csv.writer(out)
        rows.writerow(("cluster", "source", "id"))
        rows.writerows((row["cluster_id"], *row["id"].split(":", 1)) for row in found.as_record_list())


def _rows(path):
    with gzip.open(path, "rt") as lines:
        for line in lines:
            record = json.loads(line)
            title = _folded(record["title"])
            author = _folded((record.get("authors") or [""])[0]).split()
            name = f"{record['source']}:{record['id']}"
            beginning = " ".join(title.split()[:5])
            yield name, title or None, beginning or None, author[-1] if author else None, record.get("year")


def _folded(text):
    return re.sub(r"\s+", " ", re.sub(r"[^a-z0-9 ]+", " ", text.lower())).strip()


if __name__ == "__main__":
    main(*sys.argv[1:3])
