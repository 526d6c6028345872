#!/usr/bin/env bash
# Seeded defects: `make seeds` shows that the tests of `make test` catch each of them.
#
#   scripts/seeds.sh            run the seeds that have not been caught yet
#   scripts/seeds.sh NAME...    run these seeds again
#   scripts/seeds.sh --list     list the seeds
#
# A seed is one changed line. The script applies it to a copy of the checkout (a git
# worktree with the uncommitted changes of tracked files), runs the tests of the named
# packages as `make test` does, and prints
#
#   caught   a test failed
#   MISSED   all tests passed
#   BROKEN   the line has changed, or the seed does not compile: correct the table
#
# Two tests are stricter than `make test`. Golden files are skipped, since `-update` would
# accept the defect. Real data beside the repository are not used. The packages must pass
# without the seeds: run `make test` first.
#
# Results are kept in bench-out/seeds, so that an interrupted run continues; remove the
# folder to begin again. The exit code is 1 if a seed is not caught.
set -euo pipefail
cd "$(dirname -- "$0")/.."
go=${GO:-go}
out=$PWD/bench-out/seeds
copy=$out/copy

# table calls its argument for each seed: NAME, FILE, sed expression, PACKAGES.
table() {
  local seed=$1

  # Models.
  $seed bigm-sign formulate/oct/bigm.go \
    '/"bound", t)/,/colD/s/colD(t), -1/colD(t), 1/' ./formulate/oct
  $seed threshold-rhs formulate/oct/chains.go \
    's/AddRow(-mio.Inf, 1, "right"/AddRow(-mio.Inf, 2, "right"/' ./formulate/oct
  $seed flow-conservation formulate/oct/flow.go \
    '/colZ(i, 2\*t+1), -1)/d' ./formulate/oct
  $seed cut-index formulate/oct/cut.go \
    's/if t%2 == 1 {/if t%2 == 0 {/' ./formulate/oct
  $seed octh-margin formulate/hyperplane/splits.go \
    's/bigM-e.mu, "left"/bigM+e.mu, "left"/' ./formulate/hyperplane
  $seed gto-product formulate/gto/model.go \
    's/AddQuadCost(one, other, w)/AddQuadCost(one, other, 2*w)/' ./formulate/gto
  $seed fm-bound formulate/linear/featuremin.go \
    's/min(low, 0), max(high, 0)/min(low, 0), max(high\/2, 0)/' ./formulate/linear
  $seed rlp-weight formulate/linear/twosets.go \
    's/two.Weight\[i\]\/weight\[set\]/two.Weight[i]\/weight[0]/' ./formulate/linear
  $seed leaf-labels formulate/internal/leaves/leaves.go \
    's/label\[t\] = int32(k)/label[t^1] = int32(k)/' ./formulate/oct

  # Heuristics and searches.
  $seed msmt-impurity heuristics/vertex/msmt.go \
    's/open\[k\].impurity > g/open[k].impurity < g/' ./heuristics/vertex
  $seed exact-bound search/exact/worker.go \
    's/+max(points, rest))/+points+rest)/' ./search/exact
  $seed exact-similarity search/exact/frontier.go \
    's/float64(count))) + 1$/float64(count))) + 2/' ./search/exact
  $seed exact-cache search/exact/worker.go \
    's/case m.asked < ub \&\&/case m.asked < ub-1 \&\&/' ./search/exact
  $seed exact-parts search/exact/part.go \
    's/x.bound += r.Bound/x.bound += 2 * r.Bound/' ./search/exact
  $seed exact-cuts search/exact/cuts.go \
    's/ub: p.above(below/ub: p.above(0.9*below/' ./search/exact
  $seed large-group search/large/sums.go \
    's/bl := min(l.class\[0\]+a-l0,/bl := min(l.class[0]+a,/' ./search/exact
  $seed large-side search/large/solve.go \
    's/x.left\[r\] = max(x.left\[r\], bound)/x.left[r] = max(x.left[r], bound+1)/' ./search/exact
  $seed rates-slot search/prices/rates.go \
    's/if v == 0 {/if v <= 1 {/' ./search/prices
  $seed lagrange-bound search/prices/prices.go \
    's/bound: r.Bound\*scale + fixed,/bound: r.Bound*scale*1.01 + fixed,/' ./search/prices

  # Data, costs and constraints.
  $seed loss-weight dataset/costs.go \
    's/d.Cost, c\*d.Weight\[i\])/d.Cost, c)/' ./dataset
  $seed cost-transposed dataset/costs.go \
    's/costs\[at\[0\]\]\[at\[1\]\] = /costs[at[1]][at[0]] = /' ./dataset
  $seed min-leaf dataset/weights.go \
    's/math.Ceil(v - LeafTolerance\*v)/math.Floor(v + LeafTolerance*v)/' ./dataset
  $seed max-features tree/constraint/rules.go \
    's/atMost(float64(n), float64(b.most))/atMost(float64(n), float64(b.most+1))/' ./tree/constraint
  $seed fold-leak dataset/split.go \
    '/) Complement(/,/^}/s/:= range rows {/:= range rows[min(1, len(rows)):] {/' ./dataset

  # Files.
  $seed mps-range mps/write_linear.go \
    's/e.rowEntry(rangeSet, i, r)/_ = r/' ./mps
  $seed mps-offset mps/read_linear.go \
    's/d.offset -= v$/d.offset += v/' ./mps
  $seed solution-column solvers/solfile/cbc.go \
    's/value, _ := field(rest)/_, value := field(rest)/' ./solvers/solfile
  $seed python-branch tree/export/python.go \
    's/"if " + c + ":"/"if not (" + c + "):"/' ./tree/export
  $seed c-branch tree/export/c.go \
    's/"if (" + c + ") {"/"if (!(" + c + ")) {"/' ./tree/export

  # Checks.
  $seed decode-errors mio/verify/tree.go \
    's/if own != counted {/if false {/' ./mio/verify
  $seed decode-objective fit/claim.go \
    's/value := m.Value(t)$/value := m.InUnits(c.Objective)/' ./fit
  $seed claim-bound mio/verify/claim.go \
    's/case j.Precision.Above(sol.Bound, w.Objective) \&\&/case false \&\&/' ./mio/verify
  $seed tree-bound mio/verify/tree.go \
    '/) Disproved(/,/^}/s/case p.Above(sol.Bound, objective):/case false:/' ./mio/verify
}

# tree prepares the copy.
tree() {
  local commit
  commit=$(git stash create)
  if [ ! -d "$copy" ]; then
    git worktree prune
    git worktree add --quiet --detach "$copy" HEAD
  fi
  git -C "$copy" checkout --quiet --force --detach "${commit:-HEAD}"
}

# change applies a seed to the copy and fails unless that changes exactly one line.
change() {
  local file=$copy/$1 to=$out/changed
  sed -e "$2" "$file" >"$to"
  [ "$(diff "$file" "$to" | grep -c '^[<0-9]')" = 2 ] && cat "$to" >"$file"
}

# tests runs the packages as `make test` does.
tests() {
  (cd "$copy" && "$go" test -failfast -skip Golden "$@")
}

missed=0 known=0
run() {
  local name=$1 file=$2 log=$out/$1.log verdict= began=$SECONDS
  known=$((known + 1))
  if [ -n "$only" ]; then
    [[ " $only " == *" $name "* ]] || return 0
  elif grep -qsx caught "$out/$name"; then
    printf '%-18s caught (before)\n' "$name"
    return 0
  fi
  git -C "$copy" checkout --quiet --force .
  if ! change "$file" "$3"; then
    verdict=BROKEN
    echo "the expression does not change exactly one line of $file" >"$log"
  elif tests "${@:4}" >"$log" 2>&1; then
    verdict=MISSED
  elif grep -q 'build failed\|setup failed' "$log"; then
    verdict=BROKEN
  else
    verdict=caught
  fi
  printf '%s\n' "$verdict" >"$out/$name"
  printf '%-18s %s %4d s  %s\n' "$name" "$verdict" $((SECONDS - began)) "$(sed -n 's/^--- FAIL: \([^ ]*\).*/\1/p' "$log" | head -n 1)"
  [ "$verdict" = caught ] || missed=$((missed + 1))
}

list() { printf '%-18s %-36s %s\n' "$1" "$2" "${*:4}"; }

if [ "${1:-}" = --list ]; then
  table list
  exit
fi
only=$*
eval "$(scripts/install-highs.sh --env)"
RAPID_SEED=${RAPID_SEED:-$(sed -n 's/^export RAPID_SEED ?= //p' Makefile)}
export PKG_CONFIG_PATH CGO_CFLAGS RAPID_SEED
unset OCTGEN_DATA
mkdir -p "$out"
tree
trap 'git worktree remove --force "$copy"' EXIT
table run
printf '%d seeds, %d not caught\n' "$known" "$missed"
[ "$missed" = 0 ]
