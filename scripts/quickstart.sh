#!/usr/bin/env bash
# What octgen does, on the data of examples/, in less than a minute: `make quickstart`.
# Each command is printed before it runs and can be run again by hand, in the folder of
# the repository. All that it writes is in quickstart-results/, which is made anew.
set -euo pipefail
cd "$(dirname -- "$0")/.."
out=quickstart-results
rm -rf "$out"
mkdir "$out"

step() { printf '\n== %s\n' "$*"; }

# say COMMAND...: prints a command and runs it; its news are kept off the screen.
exec 3>&1
say() {
  { printf '\n$'; printf ' %s' "$@"; printf '\n'; } >&3
  "$@" 2>>"$out/log.txt" || { local code=$?; cat "$out/log.txt" >&2; exit "$code"; }
}

step "1. A tree, the proof that no other of its depth is better, and CART's beside it"
say bin/octgen fit examples/german-credit.csv -o $out/credit.json
say bin/octgen predict $out/credit.json examples/german-credit.csv -o $out/predictions.csv
say bin/octgen show $out/credit.json examples/german-credit.csv --format html -o $out/credit.html

step "2. Ten data sets, five folds: optimal trees and CART's, every one of them proved"
say bin/octgen run examples/quickstart.yaml --out $out/comparison

step "3. The same problem as a mixed-integer program: HiGHS and the exact search agree"
say bin/octgen fit examples/iris.csv --depth 2 --alpha 0.01 --engine mio --cross-check --time-limit 10m

step "4. A program for any solver: written, solved by an executable, decoded and checked"
model=$out/iris
if highs=$(PATH=$PWD/bin:$PATH command -v highs); then
  say bin/octgen mps examples/iris.csv --depth 2 --alpha 0.01 --start cart --start-format highs -s $model.start -o $model.mps
  printf '\n$ printf "mip_rel_gap = 0\\nmip_abs_gap = 0\\n" > %s\n' $out/exact.opt
  printf 'mip_rel_gap = 0\nmip_abs_gap = 0\n' >$out/exact.opt
  say "${highs#"$PWD/"}" --options_file $out/exact.opt --read_solution_file $model.start --solution_file $model.sol $model.mps >$out/solver.txt
elif cbc=$(command -v cbc); then
  say bin/octgen mps examples/iris.csv --depth 2 --alpha 0.01 --start cart --start-format cbc -s $model.start -o $model.mps
  say "$cbc" $model.mps -ratio 0 -allow 0 -increment 1e-9 -mipstart $model.start -solve -solution $model.sol >$out/solver.txt
else
  echo "(left out: neither highs nor cbc is there; docs/solvers.md says how any solver is used)"
fi
if [ -e $model.sol ]; then
  say bin/octgen decode $model.octgen.json $model.sol -o $model.json
  say bin/octgen check $model.json examples/iris.csv
fi

step "5. To look at"
cat <<END
$out/comparison/report.html   the comparison: verdict, tables, plots, every tree
$out/credit.html              the first tree: fold it, enter a row, answer questions
$out/predictions.csv          its predictions
END
