#!/usr/bin/env bash
# Experiments on a real Slurm of one node (scripts/slurm-testbed.sh), as root: killed
# tasks, a killed slurmd, a requeued job, a full disk, the announced end of a job, and
# mistakes. Part slurm of scripts/test-all.sh; six minutes, nine on a busy machine.
set -euo pipefail
cd "$(dirname -- "$0")/.."
go=${GO:-go}
eval "$(scripts/install-highs.sh --env)"
export PKG_CONFIG_PATH CGO_CFLAGS

work=$(mktemp -d)
bed=$work/bed
RANDOM=20261122

say() { printf 'slurm: %s\n' "$*"; }

# die ends the test, and says what the cluster was at.
die() {
  say "FAILED: $*, after $SECONDS s"
  {
    squeue -r -o '%i %A %t %r %M %j' | head -n 50
    sinfo
    ls "$work/tickets" "$work/taken"
    tail -n 20 "$bed/slurmctld.log" "$bed/slurmd.log"
  } 2>&1 || true
  exit 1
}

finish() {
  scripts/slurm-testbed.sh stop "$bed" || true
  if mountpoint -q "$work/disk"; then umount -l "$work/disk" || true; fi
  rm -rf "$work"
}
trap finish EXIT

# expect CODE TEXT COMMAND... runs the command, which must end with the code and say the
# text.
expect() {
  local code=$1 text=$2 got=0
  shift 2
  "$@" >"$work/said" 2>&1 || got=$?
  if [ "$got" != "$code" ] || ! grep -qE -- "$text" "$work/said"; then
    cat "$work/said"
    die "$* ended with $got, want $code and: $text"
  fi
}

# figure KEY FOLDER prints a number of `octgen status --json`.
figure() { octgen status "$2" --json | sed -n "s/^  \"$1\": \([0-9]*\),$/\1/p"; }

# ids FOLDER prints the ids that have a whole line in a journal.
ids() { cat "$1"/journals/*.jsonl | grep -o '^{"id":"[0-9a-f]*".*}$' | cut -d'"' -f4 | sort -u; }

# await SECONDS COMMAND... waits until the command succeeds. The seconds are many times
# what it takes: they are for what never comes.
await() {
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ "$SECONDS" -lt "$end" ] || die "waited in vain: $*"
    sleep 0.05
  done
}

runs() { [ "$(squeue -h -j "$1" -o %t)" = R ]; }
none_queued() { [ -z "$(squeue -h)" ]; }
lives() { grep -q . "/proc/$1/cmdline" 2>/dev/null; }
gone() { ! lives "$1"; }

# What befalls the jobs depends on no speed: each waits until the test lets it begin, by a
# file in tickets that it takes, or all by the file open.
mkdir -p "$work/bin" "$work/tickets" "$work/taken"
cat >"$work/bin/gated" <<EOF
#!/bin/bash
until [ -e '$work/open' ] || mv '$work/tickets/next' "$work/taken/\$\$" 2>/dev/null; do sleep 0.05; done
exec '$work/bin/octgen' "\$@"
EOF
chmod +x "$work/bin/gated"

# begin lets one job begin and sets pid to its process. Where no job is left, what is
# missing is submitted once more.
begin() {
  touch "$work/tickets/next"
  await 180 taken_or_none
  if ! taken; then
    [ "$(figure missing "$out")" -gt 0 ] || die "all tasks were done after $kills kills"
    expect 0 '' on_slurm --out "$out" --slurm-program "$work/bin/gated" --submit-only --resume
    await 180 taken
  fi
  pid=$(ls "$work/taken")
  rm "$work/taken/$pid"
}

taken() { [ -n "$(ls "$work/taken")" ]; }
taken_or_none() { taken || none_queued; }

# kill_one lets a job begin and kills it within a second. Where it had done all of its
# tasks by then, the next ones have half of the time, at last none.
kill_one() {
  begin
  sleep "$(printf '0.%03d' $((RANDOM % within)))"
  if lives "$pid" && kill -KILL "$pid"; then
    kills=$((kills + 1))
  else
    within=$(((within + 1) / 2))
  fi
}

# fill_disk keeps the small disk full while four jobs run: they cannot keep what they do.
fill_disk() {
  local had
  had=$(ids "$out" | wc -l)
  dd if=/dev/zero of="$work/disk/ballast" bs=64k 2>/dev/null || true
  for _ in 1 2 3 4; do
    begin
    await 180 gone "$pid"
  done
  [ $(($(ids "$out" | wc -l) - had)) -lt 10 ] || die "the full disk took 10 results of 4 jobs"
  rm "$work/disk/ballast"
}

# requeue lets a job begin and has Slurm put it back; one that has ended meanwhile is not
# put back, but the next one is.
requeue() {
  while :; do
    begin
    requeued=$(tr '\0' '\n' 2>/dev/null <"/proc/$pid/environ" | sed -n 's/^SLURM_JOB_ID=//p') || continue
    sleep 0.2
    if [ -n "$requeued" ] && lives "$pid" && scontrol requeue "$requeued" 2>/dev/null; then break; fi
  done
  await 180 hastened "$requeued"
}

# hastened lets a requeued job begin, which Slurm would let wait for two minutes.
hastened() {
  local job
  job=$(scontrol show job "$1") && [[ $job == *" Restarts=1 "* ]] || return 1
  case $(squeue -h -j "$1" -o %t:%r) in
    PD:BeginTime) scontrol update JobId="$1" StartTime=now ;;
    PD:* | R:*) ;;
    *) return 1 ;;
  esac
}

"$go" build -o "$work/bin/octgen" -ldflags '-X main.version=tested' ./cmd/octgen
"$go" build -o "$work/bin/other" -ldflags '-X main.version=another' ./cmd/octgen
PATH=$work/bin:$PATH
export CPUS=4 MAX_ARRAY=21
eval "$(scripts/slurm-testbed.sh start "$bed")"
say "$(sbatch --version), one node of $CPUS processors, after $SECONDS s"

cat >"$work/spec.yaml" <<'EOF'
name: tested
data:
  - {name: trees, generate: oct-tree, features: 8, rows: 400, test_rows: 100, depth: 3, label_noise: 0.1, replicates: 40}
  - {name: planes, generate: oct-h-tree, features: 3, rows: 200, test_rows: 100, depth: 2, replicates: 10}
methods:
  - {name: CART, method: cart, depth: 3}
  - {name: OCT, method: treesearch, depth: 3}
  - {name: LS, method: local-search, depth: 3, work_limit: 40000000}
  - {name: BAD, method: cart, depth: 2, min_leaf: 250}
limits: {threads: 1}
EOF

# The end of a job's time, which comes while others run: the first of its two tasks would
# take an hour.
cat >"$work/wall.yaml" <<'EOF'
name: wall
data: [{name: gen, generate: oct-tree, features: 8, rows: 400, test_rows: 20, depth: 3, label_noise: 0.2}]
methods:
  - {name: LS, method: local-search, depth: 4, time_limit: 3600, work_limit: 1000000000000}
  - {name: CART, method: cart, depth: 3}
slurm: {batch: 3h}
EOF
expect 0 '^2 tasks in 1 jobs? of at most 2 min' octgen run "$work/wall.yaml" --out "$work/wall" --scheduler slurm --slurm-time 2m --submit-only
wall=$(squeue -h -r -o %A)

# 200 tasks in 40 jobs and two arrays, without any trouble.
octgen run "$work/spec.yaml" --out "$work/whole" --workers 2 --quiet >/dev/null || [ $? = 1 ]
say "one process has done its 200 tasks, after $SECONDS s"
on_slurm() { octgen run "$work/spec.yaml" --scheduler slurm --slurm-time-per-task 1m --slurm-batch 5m "$@"; }
expect 1 '^200 tasks in 40 jobs of at most 11 min 00 s submitted, array [0-9]+, [0-9]+; ' on_slurm --out "$work/calm" --quiet
cmp "$work/whole/summary.csv" "$work/calm/summary.csv"
cmp "$work/whole/report.md" "$work/calm/report.md"
diff -r "$work/whole/trees" "$work/calm/trees"
say "jobs make the same summary, report and trees, after $SECONDS s"

await 300 none_queued
scontrol show job "$wall" >"$work/said"
if grep -q JobState=TIMEOUT "$work/said"; then die "Slurm had to end the job of two minutes"; fi
[ "$(figure missing "$work/wall")" = 1 ] && grep -q '"cut_short":true' "$work"/wall/journals/*.jsonl || die "the job of two minutes has not kept its best tree"
expect 0 '^1 tasks? in 1 job' octgen run "$work/wall.yaml" --out "$work/wall" --scheduler slurm --resume --quiet
[ "$(grep -c '"result"' "$work/wall/results.jsonl")" = 2 ] || die "not 2 results of the job of two minutes and the one after it"
say "a job whose time ends keeps its best tree, and what it left is run again, after $SECONDS s"

# The same with all that can happen to it, in a folder on a small disk.
mkdir "$work/disk"
mount -t tmpfs -o size=6m tmpfs "$work/disk"
out=$work/disk/out
expect 0 '200 tasks in 40 jobs' on_slurm --out "$out" --slurm-program "$work/bin/gated" --submit-only
kills=0 within=1000
while [ $kills -lt 20 ]; do
  had=$kills
  kill_one
  [ $kills -gt $had ] || continue
  case $kills in
    2) fill_disk ;;
    4 | 10 | 16) begin ;; # one that is left alone
    8)
      pid=$(cat "$bed/slurmd.pid")
      kill -KILL "$pid"
      await 30 gone "$pid"
      scripts/slurm-testbed.sh slurmd "$bed" || die "slurmd does not come back"
      ;;
    12) requeue ;;
  esac
done
touch "$work/open"
await 300 none_queued
ids "$out" >"$work/before"
missing=$((200 - $(wc -l <"$work/before")))
[ "$missing" -gt 0 ] || die "the kills lost no task"
[ "$(figure missing "$out")" = $missing ] || die "status says $(figure missing "$out") missing, want $missing"
say "20 kills, one of slurmd, a requeue and a full disk left $missing of 200 tasks, after $SECONDS s"
expect 1 "^$missing tasks in [0-9]+ jobs? of at most" on_slurm --out "$out" --resume --quiet
last=$(ls "$out"/jobs/batches-*.txt | sort -V | tail -n 1)
tr ' ' '\n' <"$last" | sort >"$work/again"
[ "$(wc -l <"$work/again")" = $missing ] || die "$last has other tasks than those missing"
[ -z "$(comm -12 "$work/before" "$work/again")" ] || die "tasks with a result were submitted again"
cmp "$work/whole/summary.csv" "$out/summary.csv"
cmp "$work/whole/report.md" "$out/report.md"
diff -r "$work/whole/trees" "$out/trees"
[ "$(cut -d'"' -f4 "$out/results.jsonl" | sort -u | wc -l)" = 200 ] && [ "$(wc -l <"$out/results.jsonl")" = 200 ] || die "not 200 records"
grep -q '"restarts":1' "$out"/journals/*.jsonl || say "the requeued job had nothing left to do"
say "what was missing, and nothing else, was submitted again: the same summary, report and trees, after $SECONDS s"

# The announced end of a job, whose script is changed and submitted by hand.
cat >"$work/slow.yaml" <<'EOF'
name: slow
data: [{name: gen, generate: oct-tree, features: 8, rows: 400, test_rows: 20, depth: 3, label_noise: 0.2, replicates: 2}]
methods: [{name: LS, method: local-search, depth: 4, time_limit: 3600, work_limit: 1000000000000}]
slurm: {batch: 3h}
EOF
octgen run "$work/slow.yaml" --out "$work/slow" --scheduler slurm --submit-only >/dev/null
scancel --user=root
await 120 none_queued
sed -i 's/--grace 60s/--grace 1s/' "$work/slow/submit.sbatch"
id=$(sbatch --parsable "$work/slow/submit.sbatch")
await 180 runs "$id"
sleep 2
scancel --batch --signal=USR1 "$id"
await 120 none_queued
expect 2 '1 tasks? have? no result' octgen run "$work/slow.yaml" --out "$work/slow" --scheduler slurm --wait
[ "$(grep -c '"cut_short":true' "$work/slow/results.jsonl")" = 1 ] || die "no record says that it was cut short"
say "a job that is told of its end keeps its best tree, after $SECONDS s"

# Mistakes: nothing is damaged, and the way out is said.
expect 2 'invalid partition specified: nope;.* the script is .*, nothing was submitted' on_slurm --out "$work/nope" --slurm-partition nope
expect 2 '200 tasks have no result; the logs of their jobs are in' on_slurm --out "$work/version" --slurm-program "$work/bin/other" --quiet
grep -q 'contains results of octgen tested, but this is another' "$work"/version/jobs/*.log || die "no log tells of the other version"
flock "$out/lock" sleep 2 &
sleep 0.3
expect 2 'another process collects in' octgen collect "$out"
wait $!
cmp "$work/whole/summary.csv" "$out/summary.csv"

# A node that does not see the folder: slurmd in a mount namespace of its own.
kill "$(cat "$bed/slurmd.pid")"
await 60 test ! -e "$bed/slurmd.pid"
mkdir "$work/here"
unshare -m sh -c "mount -t tmpfs tmpfs '$work/here' && exec slurmd -f '$bed/slurm.conf'"
await 60 test -s "$bed/slurmd.pid" # else the next line starts another one beside it
scripts/slurm-testbed.sh slurmd "$bed"
expect 2 'left no log in .*: is the folder on a file system shared by the nodes' on_slurm --out "$work/here/out" --quiet
say "mistakes are told, after $SECONDS s"

# The line of docs/cluster.md for GNU parallel.
command -v parallel >/dev/null || DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends parallel >"$work/said" 2>&1 || { cat "$work/said"; die "parallel cannot be installed"; }
(cd "$work" && seq 0 6 | parallel -j2 octgen run spec.yaml --shard {}/7 --quiet) >"$work/said" 2>&1 || true # some tasks fail
octgen collect "$work/spec-results" >/dev/null
cmp "$work/whole/summary.csv" "$work/spec-results/summary.csv"
say "GNU parallel makes the same summary, after $SECONDS s"
