#!/usr/bin/env bash
# The pictures of README: docs/tree.png, the page of a tree, and docs/report.png, the
# report of examples/quickstart.yaml. Needs chromium, and bin/octgen (make build), or the
# binary that OCTGEN names. Takes half a minute.
set -euo pipefail
cd "$(dirname -- "$0")/.."
octgen=$(realpath "${OCTGEN:-bin/octgen}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

picture() { # PAGE HEIGHT FILE
  chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/profile" \
    --window-size="1100,$2" --screenshot="$work/picture.png" "file://$1" 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
  mv "$work/picture.png" "docs/$3"
}

cp examples/banknote.csv "$work"
(cd "$work" # so that the page names its files without their folder
  "$octgen" fit banknote.csv -o banknote.json --quiet >/dev/null
  "$octgen" show banknote.json banknote.csv --format html -o tree.html)
picture "$work/tree.html" 860 tree.png

"$octgen" run examples/quickstart.yaml --out "$work/run" --quiet >/dev/null
picture "$work/run/report.html" 1000 report.png
