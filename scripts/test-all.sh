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

# Without the proofs of fit, which are minutes of a solver's work and not of ours.
race() {
  # shellcheck disable=SC2046 # a list of packages
  "$go" test -race -timeout 30m -skip '^(TestReferenceOptima|TestSearchAgreesWithHiGHS|TestSolversAgree)$' $(concurrent)
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
part test make --no-print-directory test
part race race
part fuzz scripts/fuzz.sh 60
part slurm scripts/test-slurm.sh

printf '\n%s%-10s %5d s\n' "$summary" all "$SECONDS"
