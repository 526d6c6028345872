#!/usr/bin/env bash
# A Slurm cluster of one node on this machine, in a folder of its own, for tests and for
# trying `octgen run --scheduler slurm`. As root, on Debian or Ubuntu.
#
#   scripts/slurm-testbed.sh start DIR     install what is missing, start the cluster
#   scripts/slurm-testbed.sh slurmd DIR    start the node's daemon again
#   scripts/slurm-testbed.sh stop DIR      end what was started, by the process ids in DIR
#
# The commands of Slurm find the cluster by SLURM_CONF=DIR/slurm.conf. Variables for
# start: CPUS of the node (4; it may have fewer), MAX_ARRAY (MaxArraySize, 1001).
#
# Everything stays in DIR: munge's key and socket, configuration, state, logs. No other
# cluster and no other munge on the machine is touched.
set -euo pipefail

fail() { echo "slurm-testbed: $*" >&2; exit 2; }

usage() { sed -n '2,13s/^# \{0,1\}//p' "$0" >&2; exit 2; }

# alive says whether the process of DIR/NAME.pid runs, and is NAME. One that has ended and
# that nobody has asked after has no command line any more.
alive() {
  local pid
  pid=$(cat "$dir/$1.pid" 2>/dev/null) && [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = "$1" ] && grep -q . "/proc/$pid/cmdline"
}

# await waits up to some seconds for a command to succeed.
await() {
  local seconds=$1 end
  end=$((SECONDS + seconds))
  shift
  until "$@" >/dev/null 2>&1; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.1
  done
}

install_packages() {
  command -v slurmctld slurmd munged sbatch >/dev/null && return
  command -v apt-get >/dev/null || fail "slurm-wlm and munge are not installed, and there is no apt-get to install them"
  echo "slurm-testbed: installing slurm-wlm and munge" >&2
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends slurm-wlm munge; } >"$dir/install.log" 2>&1 ||
    { tail -n 5 "$dir/install.log" >&2; fail "the installation failed, see $dir/install.log"; }
}

# free_port prints a port that nobody listens at.
free_port() {
  local port
  while port=$((20000 + RANDOM % 20000)); do
    if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then echo "$port"; return; fi
  done
}

configure() {
  local host
  host=$(hostname -s)
  cat >"$dir/slurm.conf" <<EOF
ClusterName=testbed
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket
CredType=cred/munge
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
SchedulerParameters=bf_interval=5,batch_sched_delay=0,sched_interval=2
KillWait=5
SlurmdTimeout=30
MaxArraySize=${MAX_ARRAY:-1001}
MaxJobCount=20000
NodeName=$host NodeAddr=127.0.0.1 CPUs=${CPUS:-4} RealMemory=4000 State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=1-0 State=UP
EOF
}

start_munged() {
  alive munged && return
  [ -s "$dir/munge.key" ] || { head -c 128 /dev/urandom >"$dir/munge.key"; chmod 400 "$dir/munge.key"; }
  rm -f "$dir/munge.socket" "$dir/munge.socket.lock"
  munged --force --num-threads=2 --key-file="$dir/munge.key" --socket="$dir/munge.socket" --pid-file="$dir/munged.pid" --log-file="$dir/munged.log" --seed-file="$dir/munged.seed"
  await 10 alive munged || fail "munged does not start, see $dir/munged.log"
}

start_slurmctld() {
  alive slurmctld && return
  slurmctld -f "$dir/slurm.conf"
  await 60 scontrol ping || fail "slurmctld does not start, see $dir/slurmctld.log"
}

node_idle() { [[ "$(sinfo -h -o %T)" =~ ^(idle|mixed|allocated|completing) ]]; }

start_slurmd() {
  alive slurmd || slurmd -f "$dir/slurm.conf"
  await 120 node_idle || fail "the node is not ready, see $dir/slurmd.log"
}

start() {
  [ "$(id -u)" = 0 ] || fail "slurmd starts jobs as their users and so runs as root; be root"
  mkdir -p "$dir/state" "$dir/spool"
  chmod 755 "$dir" # munge wants a socket that all can reach
  install_packages
  [ -s "$dir/slurm.conf" ] || configure
  start_munged
  start_slurmctld
  start_slurmd
  echo "export SLURM_CONF=$dir/slurm.conf"
}

# end ends the process of DIR/NAME.pid and waits for it.
end() {
  local pid
  alive "$1" || return 0
  pid=$(cat "$dir/$1.pid")
  kill "$pid" || true
  await 10 ended "$1" || kill -KILL "$pid" || true
}

ended() { ! alive "$1"; }

# stop ends the jobs first: their processes are slurmd's, not ours to find.
stop() {
  if alive slurmctld && alive slurmd; then
    scancel --quiet --user=root || true
    await 20 no_jobs || echo "slurm-testbed: jobs do not end" >&2
  fi
  end slurmd
  end slurmctld
  end munged
}

no_jobs() { [ -z "$(squeue -h)" ]; }

[ $# = 2 ] || usage
dir=$(realpath -m -- "$2")
[[ $dir != *[[:space:]]* ]] || fail "the path $dir has blanks, which slurm.conf cannot hold"
export SLURM_CONF=$dir/slurm.conf
case $1 in
  start) start ;;
  slurmd) start_slurmd ;;
  stop) stop ;;
  *) usage ;;
esac
