#!/usr/bin/env bash
# The pages of octgen in a browser: `scripts/browser.sh`, a part of `make test-all`. Leaves pictures of nine kinds of
# trees and of a report in bin/screenshots.
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

# kind fits and shows a tree: NAME DATA FLAGS...
kind() {
  local name=$1 data=$2
  shift 2
  "$octgen" fit "$data" "$@" --quiet -o "$work/$name.json" >/dev/null
  "$octgen" show "$work/$name.json" "$data" --format html -o "$work/kind-$name.html"
}
kind constraint examples/heart.csv --depth 3 --recall 'yes>=0.85'
kind deep examples/banknote.csv --method cart --depth 6
kind leaf examples/heart.csv --alpha 1
"$octgen" generate policy-tree --features 4 --rows 300 --output "$work/policy.csv" >/dev/null
kind policy "$work/policy.csv" --method policy --depth 2 --rewards A,B,C
awk 'BEGIN {
  print "a,b,class"
  for (i = 0; i < 240; i++) { k = int(i / 20); printf "%d,%d,grade %d\n", k % 4 * 3 + i % 3, int(k / 4), k + 1 }
}' >"$work/classes.csv"
kind classes "$work/classes.csv" --depth 4
awk 'BEGIN {
  print "Which of these describes best how you came to us,years with the same employer or in the same business,answer"
  for (i = 0; i < 90; i++) {
    split("a friend or a member of the family recommended it|advertisement in a newspaper, on the radio or in the cinema|supercalifragilisticexpialidociousness-of-a-word-that-nobody-hyphenates", names, "|")
    printf "\"%s\",%d,%s\n", names[i % 3 + 1], i % 7, i % 3 == 0 ? "would come again" : i % 7 < 4 ? "would rather not say anything about this at all" : "would not"
  }
}' >"$work/names.csv"
kind names "$work/names.csv" --depth 2
awk 'BEGIN {
  print "area,heating,price"
  for (i = 0; i < 120; i++) printf "%.1f,%s,%.2f\n", 30 + i * 1.3, i % 3 ? "gas" : "oil", 1000.5 + i * i * 7 + (i % 3 ? 900 : 0)
}' >"$work/numbers.csv"
kind numbers "$work/numbers.csv" --depth 3
awk 'BEGIN {
  print "גיל,مدينة,תשובה"
  for (i = 0; i < 60; i++) printf "%d,%s,%s\n", 20 + i, i % 2 ? "القاهرة" : "بيروت", i < 25 ? "כן" : i % 2 ? "לא" : "אולי"
}' >"$work/rtl.csv"
kind rtl "$work/rtl.csv" --depth 2
cp "$work/planes.html" "$work/kind-hyperplane.html"
cp scripts/browser/loans.csv "$work/loans.csv"
cp examples/iris.csv "$work/planes.csv"
(cd "$work" && node test.mjs)
mkdir -p bin/screenshots
cp "$work"/screenshots/*.png bin/screenshots
echo "screenshots: bin/screenshots"
