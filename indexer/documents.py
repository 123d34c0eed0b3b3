"""Makes the documents of the index from clusters."""

from collections.abc import Iterable

from bibfold.catalogue.rows import Cluster, cluster_id
from bibfold.engines.base import Document, Put
from bibfold.records.keys import KeySettings, keys
from bibfold.records.model import Record
from bibfold.records.prepare import prepare


def document(no: int, record: Record, settings: KeySettings) -> Document:
    """The document of a cluster, from its canonical record."""
    return Document(cluster_id(no), keys(prepare(record), settings), record)


def puts(clusters: Iterable[Cluster], settings: KeySettings) -> list[Put]:
    """The changes that bring these clusters into an index."""
    return [Put(document(cluster.no, cluster.canonical.record, settings)) for cluster in clusters]
