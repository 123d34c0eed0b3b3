"""Writes the canonical records into a file, whole or not at all, or to standard output."""

from pathlib import Path

from bibfold.catalogue.exports import canonical_lines, canonical_records, former_ids
from bibfold.catalogue.store import Catalogue
from bibfold.outputs import Output, as_output, output_file
from bibfold.records.formats import DEFAULTS, Options, writer
from bibfold.shell import printed


def export(
    catalogue: Catalogue,
    format: str,
    out: Path | Output | None,
    options: Options = DEFAULTS,
    *,
    former: bool = False,
) -> None:
    """Write the canonical records in a format, or the ids that no longer stand, to a file or else standard output."""
    write = None if format == "jsonl" else writer(format)
    place = printed() if out is None else output_file(as_output(out, "bibfold export"))
    with catalogue.reading() as connection, place as file:
        if former:
            file.writelines(former_ids(connection))
        elif write is None:
            file.writelines(canonical_lines(connection))
        else:
            write(canonical_records(connection), file, options)
        file.flush()
