#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#SBATCH --job-name=assay
#SBATCH --requeue
#SBATCH --signal=B:TERM@60
# A task of the array is a shard. Arguments: the folder that all nodes share, then those of `assay run`. A task that
# was requeued, or submitted again, resumes its shard. With `merge` as the second argument it merges what is there.
set -u
assay=${ASSAY:-assay}
[ $# -ge 1 ] || { echo "usage: sbatch --array=0-7 $0 FOLDER [run options | merge]" >&2; exit 64; }
folder=$1
shift
if [ "${1:-}" = merge ]; then
  exec "$assay" merge "$folder"/shard-*/results.db -o "$folder/merged.db"
fi
[ -n "${SLURM_ARRAY_TASK_ID:-}" ] || { echo "$0: not running as a task of a job array" >&2; exit 64; }
shard=$folder/shard-$SLURM_ARRAY_TASK_ID
mkdir -p "$shard" || exit 2
echo "shard $SLURM_ARRAY_TASK_ID on node ${SLURMD_NODENAME:-$(hostname)}"
if [ "$SLURM_ARRAY_TASK_ID" = "${SLURM_ARRAY_TASK_MIN:-0}" ]; then
  echo "to merge: sbatch --dependency=afterany:${SLURM_ARRAY_JOB_ID:-ID} $0 $folder merge"
fi
# The signal that comes a minute before the time is over ends the run with a report of what it had; the task that
# follows goes on from there.
if [ -s "$shard/results.db" ]; then
  "$assay" run --resume "$shard" &
else
  "$assay" run --shard auto --out "$shard" "$@" &
fi
run=$!
trap 'kill -TERM $run' TERM
code=143
while :; do
  wait $run
  code=$?
  kill -0 $run 2>/dev/null || break  # a trapped signal ends wait early
done
exit $code
