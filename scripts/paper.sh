#!/usr/bin/env bash
# The experiments of the source papers; `make paper` and `make paper-quick` run them.
#
#   scripts/paper.sh full [NAME...]    experiments/paper/NAME.yaml, all but the next by default
#   scripts/paper.sh study [NAME...]   oct-uci-large and oct-uci-mio: `make study`
#   scripts/paper.sh quick [NAME...]   experiments/paper/quick/NAME.yaml
#
# Results go to paper-out/VERSION/NAME (quick: NAME-quick), tables to stdout. What was
# interrupted goes on. $WORKERS tasks run at a time (default: as many as cores).
# $OCTGEN_DATA or ../shared/data has the data.
set -euo pipefail
cd "$(dirname -- "$0")/.."

case ${1:-} in
  full | study) folder=experiments/paper suffix= ;;
  quick) folder=experiments/paper/quick suffix=-quick ;;
  *)
    sed -n '2,11s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
what=$1 large="oct-uci-large oct-uci-mio"
shift
if [ $# -eq 0 ]; then
  for spec in "$folder"/*.yaml; do
    name=$(basename "$spec" .yaml) is=full
    if [[ " $large " == *" $name "* ]]; then is=study; fi
    if [ "$what" = quick ] || [ "$what" = "$is" ]; then set -- "$@" "$name"; fi
  done
fi

version=$(bin/octgen version | awk 'NR == 1 { print $2 }')
out=paper-out/$version
workers=${WORKERS:-$(getconf _NPROCESSORS_ONLN)}
mkdir -p "$out"
failed=()
began=$SECONDS
for name in "$@"; do
  printf '\n== %s%s\n\n' "$name" "$suffix"
  at=$SECONDS
  status=0
  bin/octgen run "$folder/$name.yaml" --out "$out/$name$suffix" --workers "$workers" --resume || status=$?
  if [ $status -eq 130 ] || [ $status -eq 2 ]; then exit $status; fi
  if [ $status -ne 0 ]; then failed+=("$name"); fi
  printf '%s%s: %d s\n' "$name" "$suffix" $((SECONDS - at))
done
printf '\nall: %d s; reports: %s/*/report.html\n' $((SECONDS - began)) "$out"
if [ ${#failed[@]} -gt 0 ]; then
  printf 'with failed tasks: %s\n' "${failed[*]}" >&2
  exit 1
fi
