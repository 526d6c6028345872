#!/usr/bin/env bash
# Fuzzes every target of the module, so many seconds in all (default 60).
#
#   scripts/fuzz.sh [SECONDS]
#
# What fails is left in the target's testdata/fuzz, where plain tests find it. That the
# time was over while an input ran is no failure, though Go below 1.27 may say so
# (issue 75804 of Go): then no input is left.
set -euo pipefail
cd "$(dirname -- "$0")/.."
go=${GO:-go}

mapfile -t targets < <(git grep -o -E '^func Fuzz[A-Za-z0-9]+' -- '*_test.go' | sed -E 's,^(.*)/[^/]*:func (.*)$,./\1 \2,')
[ "${#targets[@]}" -gt 0 ] || { echo "fuzz: no targets were found" >&2; exit 1; }
# only_time reports whether a log tells of nothing but the end of the time.
only_time() {
  grep -q '^    context deadline exceeded$' <<<"$1" && ! grep -q -E 'Failing input|panic|^    +[a-z_]+\.go:|hung or terminated' <<<"$1"
}

each=$((${1:-60} / ${#targets[@]}))
[ "$each" -gt 0 ] || each=1
for line in "${targets[@]}"; do
  read -r folder target <<<"$line"
  log=$("$go" test "$folder" -run '^$' -fuzz "^$target\$" -fuzztime "${each}s" -fuzzminimizetime 10x 2>&1) || only_time "$log" || { printf '%s\n' "$log"; exit 1; }
  printf 'fuzz: %s %s: %s\n' "$folder" "$target" "$(sed -n 's/.*\(execs: [0-9]*\).*/\1/p' <<<"$log" | tail -n 1)"
done
