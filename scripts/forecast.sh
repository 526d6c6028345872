#!/usr/bin/env bash
# forecast.sh [SECONDS]: what octgen inspect says of fits by exact search, beside the fits, on one thread with a
# limit of so many seconds (default 120): docs/tables/forecast.md. OCTGEN names the binary (default bin/octgen).
set -euo pipefail
cd "$(dirname "$0")/.."
octgen=${OCTGEN:-bin/octgen}
data=${OCTGEN_DATA:-../shared/data}
limit=${1:-120}
out=docs/tables/forecast.md
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

field() { sed -n "s/^ *\"$1\": *\"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$2" | "$3" -n 1; }

cat >"$dir/table" <<E2
# Forecasts of the exact search

Made by \`scripts/forecast.sh\`: what \`octgen inspect\` says after a probe of two seconds, and a fit on one
thread, ended after $limit s. A second is less than 8 s, a minute less than 465 s, an hour less than 3 h. Memory is
that of the whole process.

| dataset | depth | forecast | seconds | memory, MB | fit, s | memory, MB |
|---|--:|---|--:|--:|--:|--:|
E2
while read -r name depth; do
	"$octgen" inspect "$data/$name.csv" --depth "$depth" --json >"$dir/inspect"
	sed -n '/"search": {/,/}/p' "$dir/inspect" >"$dir/search"
	"$octgen" fit "$data/$name.csv" --threads 1 --time-limit "${limit}s" --depth "$depth" --quiet --json >"$dir/fit" &
	pid=$!
	peak=0
	while kill -0 $pid 2>/dev/null; do
		now=$(sed -n 's/^VmHWM:[[:space:]]*\([0-9]*\) kB/\1/p' "/proc/$pid/status" 2>/dev/null || true)
		[ -z "$now" ] || peak=$now
		sleep 0.02
	done
	wait $pid || true
	seconds=$(printf '%.1f' "$(field seconds "$dir/fit" tail)")
	grep -q '"status": "optimal"' "$dir/fit" || seconds="> $seconds"
	printf '| %s | %s | %s | %.1f | %d | %s | %d |\n' "$name" "$depth" "$(field time "$dir/search" head)" \
		"$(field seconds "$dir/search" head)" $(($(field memory "$dir/search" head) / 1000000)) "$seconds" $((peak / 1000)) | tee -a "$dir/table"
done <<'SETS'
pima 4
pima 5
contree-rice 4
bupa 5
connectionist-vowel 5
statlog-landsat 3
statlog-german-credit 5
image-segmentation 4
contree-eeg 3
contree-avila 3
qsar-biodegradation 3
optical-recognition 3
spambase 4
skin 3
SETS
mv "$dir/table" "$out"
