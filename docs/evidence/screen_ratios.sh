#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Loads of a screen and their peers by turns on one GPU: screen_ratios.sh PROGRAM FOLDER [TURNS]. A line each.
program=$1 folder=$2 turns=${3:-2}
peer() { python3 "$(dirname "$0")/screen_peers.py" "$1" 5; }
load() {
  "$program" screen --shared --load "$1" --budget 4s --out "$folder/$1" | grep -E "^  screen\.|could not|FAIL"
}
for _ in $(seq "$turns"); do
  peer bf16 && load wgmma.bf16 && load both.mixed && load both.cached
  peer e4m3 && load wgmma.e4m3
  peer copy && for name in rows narrow mixed cached; do load "tma.$name"; done
done
