#!/usr/bin/env bash
# Inputs a second of one engine for each target named, by the CPU time that it took, and the share of `empty`,
# measured in turns in one run: throughput.sh FOLDER-OF-ENGINES SECONDS TARGET...
set -eu
engines=$(realpath "$1") seconds=$2 && shift 2
corpora=$(dirname "$(realpath "$0")")/corpus
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
for turn in 1 2 3; do
  for target in empty "$@"; do
    mkdir "$target.$turn"
    TIMEFORMAT="%U %S"
    { time "$engines/libfuzzer_$target" -max_total_time="$seconds" -entropic=0 -print_final_stats=1 \
        "$target.$turn" "$corpora/$target" 2>"$target.log"; } 2>"$target.time"
    inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$target.log")
    echo "$target $inputs $(cat "$target.time")" >>rates
  done
done
awk '{ inputs[$1] += $2; cpu[$1] += $3 + $4 }
     END { for (t in inputs) printf "%-20s %8.0f a second, %3.0f %% of empty\n", t, inputs[t] / cpu[t],
                                    100 * inputs[t] / cpu[t] / (inputs["empty"] / cpu["empty"]) }' rates | sort
