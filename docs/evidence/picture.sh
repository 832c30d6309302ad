#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes docs/report.png, the picture of the README, of the results file of the H200: docs/evidence/picture.sh BUILD
# Needs sqlite3, xz and Chromium (Debian packages of these names).
set -eu
build=${1:?the folder of a build, such as build/release}
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
xz -dc "$root/docs/evidence/h200.sql.xz" | sqlite3 "$out/results.db"
"$build/assay" report "$out/results.db" >/dev/null
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1100,640 \
         --screenshot="$root/docs/report.png" "file://$out/results.html" 2>/dev/null
