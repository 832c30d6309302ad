#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Inputs a second of one engine for each target named, by the CPU time that it took, and the share of an empty target
# with the same mutator (libfuzzer_empty_TARGET where there is one), measured in turns in one run:
# throughput.sh FOLDER-OF-ENGINES SECONDS TARGET...
set -eu
engines=$(realpath "$1") seconds=$2 && shift 2
corpora=$engines/corpus
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
measure() {  # engine, corpus
  mkdir found
  TIMEFORMAT="%U %S"
  { time "$engines/libfuzzer_$1" -max_total_time="$seconds" -entropic=0 -print_final_stats=1 \
      found "$corpora/$2" 2>log; } 2>time
  rm -r found
  inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' log)
  cpu=$(cat time)
}
for turn in 1 2 3; do
  for target in "$@"; do
    empty=empty_$target
    [ -x "$engines/libfuzzer_$empty" ] || empty=empty
    measure "$empty" "$target"
    line="$target $inputs $cpu"
    measure "$target" "$target"
    echo "$line $inputs $cpu" >>rates
  done
done
awk '{ nothing[$1] += $2; alone[$1] += $3 + $4; inputs[$1] += $5; cpu[$1] += $6 + $7 }
     END { for (t in inputs) { a = inputs[t] / cpu[t]; b = nothing[t] / alone[t]
             printf "%-20s %8.0f a second, %3.0f %% of %8.0f with the target empty\n", t, a, 100 * a / b, b } }' rates | sort
