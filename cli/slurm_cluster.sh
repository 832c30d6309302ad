#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A Slurm cluster of two nodes, "one" and "two", on this machine alone, for the tests: `start FOLDER` writes its
# files there and returns when both nodes are idle; `kill FOLDER NODE` ends the jobs on a node by SIGKILL, without the
# SIGTERM that scancel sends first; `stop FOLDER` ends exactly what it started. Nothing outside of the folder is
# touched, and no system service is needed. Exit code 77: the packages are absent, with the reason.
set -u
export PATH="$PATH:/usr/sbin:/sbin"
[ $# -ge 2 ] || { echo "usage: $0 start FOLDER | kill FOLDER NODE | stop FOLDER" >&2; exit 64; }
folder=$2
export SLURM_CONF=$folder/slurm.conf

stop() {
  for file in slurmd-one slurmd-two slurmctld munged; do
    [ -s "$folder/$file.pid" ] || continue
    pid=$(cat "$folder/$file.pid")
    kill "$pid" 2>/dev/null
    # It removes its files as it ends.
    for _ in $(seq 100); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
  done
}
if [ "$1" = stop ]; then
  stop
  exit 0
fi

if [ "$1" = kill ]; then
  for process in /proc/[0-9]*; do
    environment=$(tr '\0' '\n' <"$process/environ" 2>/dev/null) || continue
    grep -qxF "SLURM_CONF=$SLURM_CONF" <<<"$environment" && grep -qxF "SLURMD_NODENAME=$3" <<<"$environment" &&
      kill -KILL "${process#/proc/}" 2>/dev/null
  done
  exit 0
fi

for program in munged slurmctld slurmd sbatch; do
  command -v $program >/dev/null ||
    { echo "there is no $program: apt-get install slurm-wlm munge"; exit 77; }
done
mkdir -p "$folder"/{state,spool-one,spool-two} || exit 2
user=$(id -un)
host=$(hostname -s)
port=$((20000 + $$ % 20000))
dd if=/dev/urandom of="$folder/munge.key" bs=1024 count=1 2>/dev/null
chmod 600 "$folder/munge.key"
# munged wants its socket in a folder that others can reach but not write.
chmod 755 "$folder"
cat >"$folder/slurm.conf" <<END
ClusterName=assay
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CryptoType=crypto/munge
MpiDefault=none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
ReturnToService=2
SlurmctldPidFile=$folder/slurmctld.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmdLogFile=$folder/slurmd-%n.log
SlurmdSpoolDir=$folder/spool-%n
StateSaveLocation=$folder/state
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName=one NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1 State=UNKNOWN
NodeName=two NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1 State=UNKNOWN
PartitionName=all Nodes=one,two Default=YES MaxTime=INFINITE State=UP
END

fail() {
  echo "$1"
  tail -n 5 "$folder"/*.log 2>/dev/null
  stop
  exit 1
}
munged --key-file="$folder/munge.key" --socket="$folder/munge.socket" --pid-file="$folder/munged.pid" \
  --log-file="$folder/munged.log" --seed-file="$folder/munged.seed" || fail "munged did not start"
slurmctld -c || fail "slurmctld did not start"
slurmd -N one && slurmd -N two || fail "slurmd did not start"
for _ in $(seq 300); do
  [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 2 ] && exit 0
  sleep 0.1
done
fail "the two nodes did not become idle in 30 s"
