#!/usr/bin/env bash
# The comparison of the quickstart in two clones of this repository, one with a processor
# and one with two: the same summary.csv, to the byte. A part of `make test-all`.
set -euo pipefail
cd "$(dirname -- "$0")/.."
go=${GO:-go}
eval "$(scripts/install-highs.sh --env)"
export PKG_CONFIG_PATH CGO_CFLAGS
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for processors in 1 2; do
  clone=$folder/clone-$processors
  git clone -q . "$clone"
  (
    cd "$clone"
    "$go" build -trimpath -o bin/octgen ./cmd/octgen
    GOMAXPROCS=$processors bin/octgen run examples/quickstart.yaml --out results --quiet >tables.txt
  )
done
cmp "$folder"/clone-{1,2}/results/summary.csv
grep -q '^wine,OCT,proved,5,0,100,' "$folder/clone-1/results/summary.csv"
echo "$(wc -l <"$folder/clone-1/results/summary.csv") lines of summary.csv, the same in both clones"
