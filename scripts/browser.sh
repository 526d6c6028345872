#!/usr/bin/env bash
# The pages of octgen in a browser: `scripts/browser.sh`, a part of `make test-all`.
# Installs Debian's chromium, node and npm where they are missing; the two packages of
# scripts/browser/package.json come from npm.
set -euo pipefail
cd "$(dirname -- "$0")/.."
go=${GO:-go}
eval "$(scripts/install-highs.sh --env)"
export PKG_CONFIG_PATH CGO_CFLAGS

scripts/install-test-tools.sh chromium nodejs npm

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp scripts/browser/* "$work"
(cd "$work" && npm ci --no-audit --no-fund --silent)

octgen=$work/octgen
"$go" build -o "$octgen" ./cmd/octgen
OCTGEN_DATA=$PWD/examples "$octgen" run scripts/browser/spec.yaml --out "$work/run" --quiet >/dev/null
OCTGEN_DATA=$PWD/examples "$octgen" run scripts/browser/frontiers.yaml --out "$work/frontiers" --quiet >/dev/null
"$octgen" fit scripts/browser/loans.csv --method cart --depth 4 --dates signed=YYYY-MM-DD --missing category -o "$work/loans.json" >/dev/null
"$octgen" show "$work/loans.json" scripts/browser/loans.csv --format html -o "$work/loans.html"
"$octgen" predict "$work/loans.json" scripts/browser/loans.csv -o "$work/loans-leaves.csv" >/dev/null
"$octgen" fit examples/iris.csv --method msmt --depth 2 -o "$work/planes.json" >/dev/null
"$octgen" show "$work/planes.json" --format html -o "$work/planes.html"
"$octgen" predict "$work/planes.json" examples/iris.csv -o "$work/planes-leaves.csv" >/dev/null
cp scripts/browser/loans.csv "$work/loans.csv"
cp examples/iris.csv "$work/planes.csv"
(cd "$work" && node test.mjs)
