#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Screens the GPUs of this node and drains it when one computes wrongly. As Prolog, Epilog or HealthCheckProgram of
# slurm.conf, run by root. ASSAY: the program; ASSAY_SCREEN: its options; ASSAY_SCREEN_OUT: where results go.
out=${ASSAY_SCREEN_OUT:-/var/lib/assay/screen}
mkdir -p "$out" || exit 0
# shellcheck disable=SC2086  # options are words
"${ASSAY:-assay}" screen ${ASSAY_SCREEN:---quick} --out "$out/results" >"$out/log" 2>&1
[ $? -eq 1 ] || exit 0
where=$(grep -m1 -o 'multiprocessor [0-9]* (TPC [0-9]*).*' "$out/log")
scontrol update "nodename=${SLURMD_NODENAME:-$(hostname -s)}" state=drain "reason=assay screen: ${where:-a case failed}"
exit 0
