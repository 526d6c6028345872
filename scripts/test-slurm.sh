#!/usr/bin/env bash
# Experiments on a real Slurm of one node (scripts/slurm-testbed.sh), as root: killed
# tasks, a killed slurmd, a requeued job, a full disk, the announced end of a job, and
# mistakes. Part slurm of scripts/test-all.sh, by its name only; three to four minutes.
set -euo pipefail
cd "$(dirname -- "$0")/.."
go=${GO:-go}
eval "$(scripts/install-highs.sh --env)"
export PKG_CONFIG_PATH CGO_CFLAGS

work=$(mktemp -d)
bed=$work/bed
RANDOM=20261122

say() { printf 'slurm: %s\n' "$*"; }
die() { say "FAILED: $*"; exit 1; }

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

# tasks FOLDER prints the processes that run batches of the folder.
tasks() { pgrep -f -- "--out $1 --batch " || true; }

# await SECONDS COMMAND... waits until the command succeeds.
await() {
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ "$SECONDS" -lt "$end" ] || die "waited in vain: $*"
    sleep 0.1
  done
}

# fill_disk keeps the small disk full until four of the queued jobs have ended: they
# cannot have kept what they did.
fill_disk() {
  local had
  dd if=/dev/zero of="$work/disk/ballast" bs=64k 2>/dev/null || true
  had=$(ids "$out" | wc -l)
  await 30 fewer_queued $(($1 - 4))
  [ $(($(ids "$out" | wc -l) - had)) -lt 10 ] || die "the full disk took 10 results of 4 jobs"
  rm "$work/disk/ballast"
}

fewer_queued() { [ "$(squeue -h -r | wc -l)" -le "$1" ]; }

runs() { [ "$(squeue -h -j "$1" -o %t)" = R ]; }

# hastened lets a requeued job begin, which Slurm would let wait for two minutes.
hastened() {
  [ "$(squeue -h -j "$1" -t PD -o %r)" = BeginTime ] && scontrol update JobId="$1" StartTime=now
}

none_queued() { [ -z "$(squeue -h)" ]; }
done_of() { [ "$(figure done "$1")" -ge "$2" ]; }

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
  - {name: LS, method: local-search, depth: 3, work_limit: 100000000}
  - {name: BAD, method: cart, depth: 2, min_leaf: 250}
limits: {threads: 1}
EOF

# 200 tasks in 40 jobs and two arrays, without any trouble.
octgen run "$work/spec.yaml" --out "$work/whole" --workers 2 --quiet >/dev/null || [ $? = 1 ]
say "one process has done its 200 tasks, after $SECONDS s"
on_slurm() { octgen run "$work/spec.yaml" --scheduler slurm --slurm-time-per-task 1m --slurm-batch 5m "$@"; }
expect 1 '^200 tasks in 40 jobs of at most 11 min 00 s submitted, array [0-9]+, [0-9]+; ' on_slurm --out "$work/calm" --quiet
cmp "$work/whole/summary.csv" "$work/calm/summary.csv"
cmp "$work/whole/report.md" "$work/calm/report.md"
diff -r "$work/whole/trees" "$work/calm/trees"
say "jobs make the same summary, report and trees, after $SECONDS s"

# The same with all that can happen to it, in a folder on a small disk.
mkdir "$work/disk"
mount -t tmpfs -o size=6m tmpfs "$work/disk"
out=$work/disk/out
expect 0 '200 tasks in 40 jobs' on_slurm --out "$out" --submit-only
kills=0 filled=no requeued=no slurmd=no
while [ $kills -lt 20 ]; do
  running=($(tasks "$out"))
  if [ ${#running[@]} -gt 0 ]; then
    kill -KILL "${running[RANDOM % ${#running[@]}]}" 2>/dev/null && kills=$((kills + 1))
  elif none_queued; then # all killed or done: those that are missing once more
    [ "$(figure missing "$out")" -gt 0 ] || die "all tasks were done after $kills kills; they are too short for this machine"
    expect 0 '' on_slurm --out "$out" --submit-only --resume
  fi
  queued=$(squeue -h -r | wc -l)
  if [ $kills -ge 2 ] && [ $filled = no ] && [ "$queued" -ge 12 ]; then
    fill_disk "$queued"
    filled=yes
  fi
  if [ $kills -ge 8 ] && [ $slurmd = no ]; then
    kill -KILL "$(cat "$bed/slurmd.pid")"
    scripts/slurm-testbed.sh slurmd "$bed"
    slurmd=yes
  fi
  if [ $kills -ge 12 ] && [ $requeued = no ]; then
    job=$(squeue -h -r -t R -o %A | head -n 1)
    if [ -n "$job" ] && scontrol requeue "$job" 2>/dev/null; then
      requeued=$job
      await 30 hastened "$job"
    fi
  fi
  sleep 0.$((RANDOM % 6))
done
[ $filled = yes ] || die "the disk was never full"
[ "$requeued" != no ] || die "no job was requeued"
await 90 none_queued
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
await 30 none_queued
sed -i 's/--grace 60s/--grace 1s/' "$work/slow/submit.sbatch"
id=$(sbatch --parsable "$work/slow/submit.sbatch")
await 30 runs "$id"
sleep 2
scancel --batch --signal=USR1 "$id"
await 30 none_queued
expect 2 '1 tasks? have? no result' octgen run "$work/slow.yaml" --out "$work/slow" --scheduler slurm --wait
[ "$(grep -c '"cut_short":true' "$work/slow/results.jsonl")" = 1 ] || die "no record says that it was cut short"
say "a job that is told of its end keeps its best tree, after $SECONDS s"

# Mistakes: nothing is damaged, and the way out is said.
expect 2 'invalid partition specified: nope;.* the script is .*, nothing was submitted' on_slurm --out "$work/nope" --slurm-partition nope
expect 2 '200 tasks have no result; what their jobs said is in' on_slurm --out "$work/version" --slurm-program "$work/bin/other" --quiet
grep -q 'holds results of octgen tested, this is another' "$work"/version/jobs/*.log || die "no log tells of the other version"
flock "$out/lock" sleep 2 &
sleep 0.3
expect 2 'another process collects in' octgen collect "$out"
wait $!
cmp "$work/whole/summary.csv" "$out/summary.csv"

# A node that does not see the folder: slurmd in a mount namespace of its own.
kill "$(cat "$bed/slurmd.pid")"
await 10 test ! -e "$bed/slurmd.pid"
mkdir "$work/here"
unshare -m sh -c "mount -t tmpfs tmpfs '$work/here' && exec slurmd -f '$bed/slurm.conf'"
scripts/slurm-testbed.sh slurmd "$bed"
expect 2 'left no log in .*: is it on a file system that the nodes share' on_slurm --out "$work/here/out" --quiet
say "mistakes are told, after $SECONDS s"

# The line of docs/cluster.md for GNU parallel.
command -v parallel >/dev/null || DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends parallel >"$work/said" 2>&1 || { cat "$work/said"; die "parallel cannot be installed"; }
(cd "$work" && seq 0 6 | parallel -j2 octgen run spec.yaml --shard {}/7 --quiet) >"$work/said" 2>&1 || true # some tasks fail
octgen collect "$work/spec-results" >/dev/null
cmp "$work/whole/summary.csv" "$work/spec-results/summary.csv"
say "GNU parallel makes the same summary, after $SECONDS s"
