#!/bin/sh
# Provides what the exports of trees are tested with: SQLite, PostgreSQL, Node, Python
# and xmllint from the distribution, onnxruntime-node from npm in .tools/onnxruntime, and
# with the argument python what the estimator needs. Returns at once if they are there.
set -eu
cd "$(dirname -- "$0")/.."

missing=
command -v gcc >/dev/null 2>&1 || missing="$missing gcc libc6-dev"
command -v sqlite3 >/dev/null 2>&1 || missing="$missing sqlite3"
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$missing postgresql"
command -v node >/dev/null 2>&1 || missing="$missing nodejs"
command -v xmllint >/dev/null 2>&1 || missing="$missing libxml2-utils"
[ -x /usr/bin/python3 ] || missing="$missing python3"
command -v npm >/dev/null 2>&1 || missing="$missing npm"
if [ "${1:-}" = python ]; then
  "${OCTGEN_PYTHON:-/usr/bin/python3}" -c 'import sklearn, pandas' 2>/dev/null || missing="$missing python3-sklearn python3-pandas"
fi

say() { printf '%s\n' "install-export-tools: $*" >&2; }

if [ "$(id -u)" = 0 ]; then
  root=
else
  root="sudo -n"
fi
[ -z "$missing" ] || say "installing$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086 # lists of words
if [ -n "$missing" ] && ! { $root apt-get -q update && $root env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install $missing; } >"$log" 2>&1; then
  tail -n 20 "$log" >&2
  say "could not install:$missing"
  exit 1
fi

onnx=.tools/onnxruntime
if [ ! -e "$onnx/node_modules/onnxruntime-node" ]; then
  say "installing onnxruntime-node"
  mkdir -p "$onnx"
  if ! npm install --prefix "$onnx" --ignore-scripts --no-audit --no-fund onnxruntime-node@1.30 >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    say "could not install onnxruntime-node"
    exit 1
  fi
fi
