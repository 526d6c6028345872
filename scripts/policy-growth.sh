#!/usr/bin/env bash
# policy-growth.sh [DEPTH [ROWS...]]: seconds of the processor (user) that the exact search of
# policies takes against rows, 10 continuous features and 3 actions, one thread, the whole
# process: docs/tables/policy.md. OCTGEN names the binary (default bin/octgen).
set -euo pipefail
cd "$(dirname "$0")/.."
octgen=${OCTGEN:-bin/octgen}
depth=${1:-2}
shift || true
[ $# -gt 0 ] || set -- 1000 2000 5000 10000 20000
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
TIMEFORMAT=%U
echo "depth $depth, load $(cut -d' ' -f1-3 /proc/loadavg)"
echo "| rows | structured, s | no structure, s |"
echo "|---:|---:|---:|"
for rows in "$@"; do
	line="| $rows |"
	for effect in 1 0.000001; do # the second: rewards are nearly noise alone
		"$octgen" generate policy-tree --features 10 --rows "$rows" --depth 2 --effect $effect --outcome-noise 1 --seed 1 -o "$dir/d.csv"
		seconds=$({ time "$octgen" fit "$dir/d.csv" --method policy --rewards A,B,C --depth "$depth" --threads 1 --quiet --json >"$dir/out.json"; } 2>&1)
		grep -q '"status": "optimal"' "$dir/out.json" || seconds="$seconds (not proved)"
		line="$line $seconds |"
	done
	echo "$line"
done
