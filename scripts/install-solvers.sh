#!/bin/sh
# Makes .tools/python with the packages of open solvers, and .tools/python-old with an older
# HiGHS, for the tests. Returns at once if they are there.
#
#   scripts/install-solvers.sh [PACKAGE...]   and these in .tools/python: gurobipy, cplex,
#                                             xpress, coptpy, whose licences are for you to accept
#   scripts/install-solvers.sh data           instead .tools/python-data, with what the Python package meets
set -eu
cd "$(dirname -- "$0")/.."

say() { printf '%s\n' "install-solvers: $*" >&2; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# environment makes a virtual environment with packages, anew if one of them was missing before.
environment() {
  dir=$1
  shift
  if [ "$(cat "$dir/octgen-packages" 2>/dev/null || true)" = "$*" ]; then return 0; fi
  say "installing $*"
  mkdir -p .tools
  if ! python3 -m venv --clear "$dir" >"$log" 2>&1; then
    sh scripts/install-test-tools.sh python3-venv
    /usr/bin/python3 -m venv --clear "$dir" >"$log" 2>&1 || fail "$dir"
  fi
  "$dir/bin/python" -m pip -q --disable-pip-version-check install "$@" >"$log" 2>&1 || fail "$dir"
  printf '%s\n' "$*" >"$dir/octgen-packages"
}

fail() {
  tail -n 20 "$log" >&2
  say "could not make $1"
  exit 1
}

if [ "${1:-}" = data ]; then
  environment .tools/python-data dtreeviz==2.3.2 ipykernel==7.4.0 matplotlib==3.11.2 nbclient==0.11.0 nbformat==5.11.1 pandas==3.1.1 polars==2.1.0 pyarrow==26.0.1 scikit-learn==1.9.1 shap==0.51.0 tqdm==4.70.1
  exit
fi
environment .tools/python highspy==1.16.0 pyscipopt==6.3.0 ortools==9.15.6755 python-sat==1.9.dev24 "$@"
environment .tools/python-old highspy==1.15.1
