#!/bin/sh
# Provides what the exports of trees are tested with: SQLite, PostgreSQL, Node, Python
# and xmllint, from the distribution. Returns at once if they are there.
set -eu

missing=
command -v gcc >/dev/null 2>&1 || missing="$missing gcc libc6-dev"
command -v sqlite3 >/dev/null 2>&1 || missing="$missing sqlite3"
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$missing postgresql"
command -v node >/dev/null 2>&1 || missing="$missing nodejs"
command -v xmllint >/dev/null 2>&1 || missing="$missing libxml2-utils"
[ -x /usr/bin/python3 ] || missing="$missing python3"
[ -n "$missing" ] || exit 0

say() { printf '%s\n' "install-export-tools: $*" >&2; }

if [ "$(id -u)" = 0 ]; then
  root=
else
  root="sudo -n"
fi
say "installing$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086 # lists of words
if ! { $root apt-get -q update && $root env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install $missing; } >"$log" 2>&1; then
  tail -n 20 "$log" >&2
  say "could not install:$missing"
  exit 1
fi
