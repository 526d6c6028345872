#!/bin/sh
# Provides the solvers that the tests compare HiGHS with: CBC (coinor-cbc) and
# GLPK (glpk-utils), from the distribution. Returns at once if they are there.
#
#   scripts/install-test-tools.sh [NAME...]   and these, packages named like their commands
#                                             or python3-MODULE
set -eu

missing=
command -v cbc >/dev/null 2>&1 || missing="$missing coinor-cbc"
command -v glpsol >/dev/null 2>&1 || missing="$missing glpk-utils"
for name in "$@"; do
  case $name in
    python3-venv) /usr/bin/python3 -c "import ensurepip" >/dev/null 2>&1 || missing="$missing $name" ;;
    python3-*) /usr/bin/python3 -c "import ${name#python3-}" >/dev/null 2>&1 || missing="$missing $name" ;;
    symphony) command -v "$name" >/dev/null 2>&1 || missing="$missing coinor-symphony" ;;
    lp_solve) command -v "$name" >/dev/null 2>&1 || missing="$missing lp-solve" ;;
    *) command -v "$name" >/dev/null 2>&1 || missing="$missing $name" ;;
  esac
done
[ -n "$missing" ] || exit 0

say() { printf '%s\n' "install-test-tools: $*" >&2; }

if ! command -v apt-get >/dev/null 2>&1; then
  say "please install:$missing (Debian's names); tests that need them are skipped by name"
  exit 0
fi
if [ "$(id -u)" = 0 ]; then
  root=
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
  root="sudo -n"
else
  say "please install:$missing (this script may not: it is not root and sudo wants a password); tests that need them are skipped by name"
  exit 0
fi
say "installing$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086 # lists of words
if ! { $root apt-get -q update && $root env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install $missing; } >"$log" 2>&1; then
  tail -n 20 "$log" >&2
  say "apt-get could not install:$missing"
  exit 1
fi
