#!/bin/sh
# The main job on real data: link and fold two sources, look records up with reasons, measure the result.
set -eu
out=${1:-out/demo}
data=evaluation/data/dblp-acm
rm -rf "$out"
mkdir -p "$out"

say() { printf '\n== %s\n' "$1"; }
run() { printf '$ %s\n' "$*"; "$@"; }

say "Two sources: 2,616 records of DBLP and 2,294 of the ACM (Leipzig benchmark, CC BY 4.0)"
gzip -dc "$data/records.jsonl.gz" | grep '"source": "dblp"' > "$out/dblp.jsonl"
gzip -dc "$data/records.jsonl.gz" | grep '"source": "acm"' > "$out/acm.jsonl"

say "Match one source to the other, and measure against the known pairs"
run bibfold link "$out/dblp.jsonl" "$out/acm.jsonl" --out "$out/linked"
run bibfold evaluate score "$out/linked/links.csv" "$data/gold.csv.gz"

say "Fold both into a catalogue that is kept, one after the other, as they would arrive"
run bibfold ingest "$out/dblp.jsonl" --catalogue "$out/catalogue"
run bibfold ingest "$out/acm.jsonl" --catalogue "$out/catalogue"
run bibfold stats --catalogue "$out/catalogue"

say "Look up a record as another system would send it: misspelt, no venue"
printf '%s\n' '{"source": "me", "id": "1", "title": "Semantic integration of environmental modells for application to global information systems", "authors": ["Mackay, D. S."], "year": 1999}' > "$out/question.jsonl"
run bibfold lookup "$out/question.jsonl" --catalogue "$out/catalogue" --top-n 3

say "Fold everything once, without a catalogue, and export the canonical records"
run bibfold dedupe "$out/dblp.jsonl" "$out/acm.jsonl" --out "$out/folded"
run bibfold evaluate score "$out/folded/clusters.csv" "$data/gold.csv.gz"
run bibfold evaluate misses "$data/records.jsonl.gz" "$data/gold.csv.gz" --report "$out/misses"
run bibfold export --catalogue "$out/catalogue" --to ris --out "$out/canonical.ris"
ls "$out" "$out/folded"
