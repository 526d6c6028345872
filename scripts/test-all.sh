#!/usr/bin/env bash
# All that is tested, part by part, with the seconds of each: `make test-all`.
#
#   scripts/test-all.sh [PART...]   these parts only
#
# A part is a line at the end of this file: its name and its command. They run in
# this order, and the first one that fails ends the run.
set -euo pipefail
cd "$(dirname -- "$0")/.."
go=${GO:-go}
eval "$(scripts/install-highs.sh --env)"
export PKG_CONFIG_PATH CGO_CFLAGS

# concurrent lists the packages that start goroutines or guard what several share.
concurrent() {
  git grep -l -E 'go func|errgroup\.|sync\.' -- '*.go' ':!*_test.go' | sed -E 's,^(.*)/[^/]*$,./\1,' | sort -u
}

# Without the proofs of fit, which are minutes of a solver's work and not of ours, and a
# comparison of sweeps that runs on one goroutine.
race() {
  # shellcheck disable=SC2046 # a list of packages
  "$go" test -race -timeout 30m -skip '^(TestReferenceOptima|TestSearchAgreesWithHiGHS|TestSolversAgree|TestLaneWeights)$' $(concurrent)
}

# The routines in plain Go, on a machine without those in assembly: arm64, emulated.
arm64() {
  command -v qemu-aarch64-static >/dev/null || scripts/install-test-tools.sh qemu-user-static
  GOARCH=arm64 CGO_ENABLED=0 "$go" test -c -o bin/exact-arm64 ./search/exact
  (cd search/exact && qemu-aarch64-static ../../bin/exact-arm64 -test.run 'Binary|PairCounts|Transpose|Repeats|BruteForce')
}

# exports has every target of octgen export answer through its own evaluator.
exports() {
  scripts/install-export-tools.sh
  OCTGEN_EXPORTS=1 "$go" test ./tree/export -count 1 -timeout 10m
}

# The completion of command lines in every shell that there is a script for.
shells() {
  scripts/install-test-tools.sh bash fish zsh
  OCTGEN_SHELLS=1 "$go" test ./cmd/octgen -run '^TestCompletionInShells$'
}

# The quickstart as a newcomer runs it: all its steps, and nothing in it ends on time.
quickstart() {
  local shown=bin/quickstart.txt
  mkdir -p bin
  make --no-print-directory quickstart | tee "$shown" &&
    grep -q '^cross-check agrees' "$shown" &&
    grep -q '^check       rows and weights per class: agree' "$shown" &&
    ! grep -q 'stopped by' "$shown" &&
    test -s quickstart-results/comparison/report.html &&
    test -s quickstart-results/credit.html
}

# python tests the package with a fresh octgen, under the Python of the distribution or
# the one that OCTGEN_PYTHON names; then the wheel with today's releases of what it meets, the notebook among
# them; and the package as pip builds it from a clone.
python() {
  scripts/install-export-tools.sh python
  mkdir -p .tools
  "$go" build -o .tools/octgen ./cmd/octgen
  OCTGEN=$PWD/.tools/octgen PYTHONPATH=$PWD/python "${OCTGEN_PYTHON:-/usr/bin/python3}" -W ignore -m unittest discover -s python/tests
  scripts/install-solvers.sh data
  make --no-print-directory wheel
  local current=$PWD/.tools/python-data/bin/python
  "$current" -m pip -q --disable-pip-version-check install --force-reinstall --no-deps "$(ls -t dist/octgen-*linux*.whl | head -n 1)"
  OCTGEN=$(env -u OCTGEN "$current" -c 'from octgen import _worker; print(_worker.program())') "$current" -W ignore -m unittest discover -s python/tests -p '[ct]*.py'
  python3 -m venv --clear .tools/python-clone
  .tools/python-clone/bin/python -m pip -q --disable-pip-version-check install .
  env -u OCTGEN .tools/python-clone/bin/python -c 'from octgen import OptimalTreeClassifier as T; print(T().fit([[1.0], [2], [3]], [0, 1, 0]).certificate_)'
}

# The figures of trees beside scikit-learn's; without it the test fails.
sklearn() {
  scripts/install-test-tools.sh python3-sklearn
  OCTGEN_SKLEARN=1 "$go" test ./cmd/octgen -run '^TestFiguresOfSklearn$'
}

# solvers runs the suite of all adapters on Python packages, an older HiGHS too, and every form
# and encoding through every solver, and solvers without an adapter by hand. OCTGEN_SOLVERS=gurobi,cplex adds those that the person who
# runs it has installed in .tools/python.
solvers() {
  scripts/install-solvers.sh
  scripts/install-test-tools.sh clasp minisat+ symphony lp_solve
  OCTGEN_SOLVERS_PYTHON=$PWD/.tools/python/bin/python "$go" test ./solvers/external ./cmd/octgen -run '^(TestPackages|TestEverySolver)$' -count 1 -timeout 20m
  "$go" test ./cmd/octgen -run '^TestScriptsSolvers$/^(maxsat|opb|printed|proto)$' -count 1 -v | grep -c -e '--- PASS: TestScriptsSolvers/' | grep -x 4 # none was skipped
  OCTGEN_SOLVERS_PYTHON=$PWD/.tools/python-old/bin/python "$go" test ./solvers/external -run '^TestPackages$/^highspy$' -count 1
}

summary=
part() {
  local name=$1 began=$SECONDS
  shift
  if [ -n "$only" ] && [[ " $only " != *" $name "* ]]; then return; fi
  printf '\n== %s\n' "$name"
  "$@" || { printf '\n== %s FAILED after %d s\n' "$name" $((SECONDS - began)); exit 1; }
  summary+=$(printf '%-10s %5d s' "$name" $((SECONDS - began)))$'\n'
}

only=$*
part test env OCTGEN_TESTS=all make --no-print-directory test
part race race
part arm64 arm64
part fuzz scripts/fuzz.sh 60
part exports exports
part solvers solvers
part python python
part shells shells
part quickstart quickstart
part clones scripts/same-figures.sh
part sklearn sklearn
part browser scripts/browser.sh
part slurm scripts/test-slurm.sh

printf '\n%s%-10s %5d s\n' "$summary" all "$SECONDS"
