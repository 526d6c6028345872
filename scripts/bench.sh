#!/usr/bin/env bash
# Benchmarks and long studies; `make bench` runs them all.
#
#   scripts/bench.sh models   building models
#   scripts/bench.sh mps      writing and reading MPS, beside HiGHS, CBC and GLPK
#   scripts/bench.sh search   exact search: benchmarks, all reference optima, rules, growth
#   scripts/bench.sh local    the heuristics, and the best-split sweep that they share
#   scripts/bench.sh limits   every native method against limits of 0.1, 1 and 3 s on large data
#   scripts/bench.sh study    100,000 random cases over all engines, and 2,000 each under scaling
#   scripts/bench.sh encodings  OCT's encodings: sizes and relaxations, then experiments/encodings, an hour
#   scripts/bench.sh exports  10^6 rows through every export of a tree
#   scripts/bench.sh planes   OCT-H: against the published runs, what is proved, ablation, gaps over time
#   scripts/bench.sh cluster  a plan of 100,000 tasks: planning, submitting, gathering
#   scripts/bench.sh seeds    every property on ten times the cases, newly drawn
#   scripts/bench.sh long     proofs and comparisons of solvers that take minutes
#   scripts/bench.sh all      all of these (default)
#
# Results go to bench-out/, a summary to stdout. Benchmarks of the run before are
# kept as NAME.old.txt and compared with. COUNT is the number of samples (default
# 6, the least that benchstat gives a confidence interval for), BENCHTIME the
# least time per sample (default 0.5s). The shared data sets are looked for in
# $OCTGEN_DATA, then in ../shared/data; benchmarks without their data are skipped.
set -euo pipefail

benchstat=golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da
go=${GO:-go}

cd "$(dirname -- "$0")/.."
eval "$(scripts/install-highs.sh --env)"
export PKG_CONFIG_PATH CGO_CFLAGS
out=bench-out
mkdir -p "$out"

say() { printf '\n== %s\n' "$*"; }

machine() {
  {
    date -u '+date: %Y-%m-%d'
    printf 'commit: %s\n' "$(git describe --tags --always --dirty 2>/dev/null || echo unknown)"
    uname -srm
    "$go" version
    printf 'HiGHS %s\n' "$(pkg-config --modversion highs)"
    if [ -r /proc/cpuinfo ]; then
      sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | uniq -c
      sed -n 's/^MemTotal: *//p' /proc/meminfo
    fi
  } >"$out/machine.txt"
  say machine
  cat "$out/machine.txt"
}

# bench NAME PATTERN PACKAGE...
bench() {
  local name=$1 pattern=$2 file=$out/$1.txt
  shift 2
  say "$name: benchmarks $pattern of $*"
  "$go" test -run '^$' -bench "$pattern" -benchmem -count "${COUNT:-6}" -benchtime "${BENCHTIME:-0.5s}" \
    -timeout 60m "$@" | tee "$file.part"
  if [ -f "$file" ]; then mv "$file" "$out/$name.old.txt"; fi
  mv "$file.part" "$file"
  say "$name: medians"
  local files=("$file")
  if [ -f "$out/$name.old.txt" ]; then files=("$out/$name.old.txt" "$file"); fi
  "$go" run "$benchstat" "${files[@]}" | tee "$out/$name.stat.txt"
}

long() {
  say "long: proven reference optima, and the same optimum from every solver"
  local ok=0
  OCTGEN_LONG=1 "$go" test ./fit -count 1 -run 'Reference|SolversAgree|Ablation' -v -timeout 60m >"$out/long.txt" 2>&1 || ok=$?
  say "long: summary"
  awk '/^=== / { name = $3 }
    /_test\.go:[0-9]+: / { sub(/^ *[a-z_]*_test\.go:[0-9]+: /, ""); print name ": " $0 }
    /^ *--- (FAIL|SKIP)/ || /^(ok|FAIL|PASS)/' "$out/long.txt"
  return "$ok"
}

models() { bench models 'Build|Model' ./mio ./formulate/...; }
mps() {
  bench mps 'Write|Read|Numbers' ./mps ./formulate/oct
  # Minutes per sample, most of them other programs'.
  COUNT=${FILES_COUNT:-1} BENCHTIME=${FILES_BENCHTIME:-3x} bench files Files ./mps
}

search() {
  bench search Solve ./search/exact
  bench large Solve ./search/large
  bench regression Solve ./search/regression
  say "search: all reference optima beside ConTree, each rule switched off, growth"
  OCTGEN_LONG=1 "$go" test ./search/exact -count 1 -run 'Reference|Ablation|Growth' -v -timeout 60m | tee "$out/search-studies.txt"
}

local_search() { bench local . ./heuristics/... ./tree; }

limits() {
  say "limits: how far each method is over its time"
  OCTGEN_LONG=1 "$go" test ./internal/limits -count 1 -run Overruns -v -timeout 60m | tee "$out/limits.txt"
}

study() {
  say "study: every engine against brute force"
  OCTGEN_LONG=1 "$go" test ./internal/study -count 1 -v -skip Planes -timeout 300m | tee "$out/study.txt"
}

planes() {
  say "planes: OCT-H within a minute, about an hour and a half"
  OCTGEN_LONG=1 "$go" test ./internal/study -count 1 -run Planes -v -timeout 300m | tee "$out/planes.txt"
}

encodings() {
  say "encodings: sizes and relaxations"
  OCTGEN_LONG=1 "$go" test ./internal/study -count 1 -run EncodingSizes -v -timeout 60m | tee "$out/encodings.txt"
  "$go" build -o "$out/octgen" ./cmd/octgen
  for name in solvers strongtree-d3 strongtree-d2; do
    say "encodings: $name"
    "$out/octgen" run "experiments/encodings/$name.yaml" --out "$out/encodings-$name" --resume
    if [ -f "$out/encodings-$name/solving.csv" ]; then cat "$out/encodings-$name/solving.csv"; fi
  done
}

exports() {
  scripts/install-export-tools.sh
  say "exports: seconds for 10^6 rows"
  OCTGEN_LONG=1 OCTGEN_EXPORTS=1 "$go" test ./tree/export -count 1 -run MillionRows -v | tee "$out/exports.txt"
}

cluster() {
  say "cluster: a plan of 100,000 tasks"
  OCTGEN_LONG=1 "$go" test ./experiments/slurm -count 1 -run Large -v -timeout 60m | tee "$out/cluster.txt"
}

seeds() {
  say "seeds: properties on new random cases"
  RAPID_SEED=0 RAPID_CHECKS=1000 "$go" test ./... -count 1 -timeout 300m | tee "$out/seeds.txt"
}

part=${1:-all}
case $part in
  models | mps | search | long | limits | study | encodings | exports | planes | cluster | seeds)
    machine
    "$part"
    ;;
  local)
    machine
    local_search
    ;;
  all)
    machine
    for p in models mps search local_search long limits study encodings exports planes cluster seeds; do "$p"; done
    ;;
  *)
    printf '%s\n' "usage: scripts/bench.sh [models|mps|search|local|limits|study|encodings|exports|planes|cluster|seeds|long|all]" >&2
    exit 2
    ;;
esac
