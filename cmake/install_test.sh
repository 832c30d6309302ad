#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs, moves the tree, runs the program from it by its link, and builds the example against it. $1: source, $2: build
# folder that is up to date.
set -eu
source=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/first" >"$work/log" || { cat "$work/log"; exit 1; }
mv "$work/first" "$work/moved"
bin=$work/moved/bin/assay
cd "$work"
"$bin" run tma.tiled.load --device emulator:sm_90a --cases 20 --out out >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
"$bin" replay tma.tiled.load@1#3 --device emulator:sm_90a,fault=tx_16_long >"$work/log" 2>&1 && { echo "the faults were not found"; exit 1; }
grep -q ': failed' "$work/log" || { cat "$work/log"; exit 1; }
for file in share/man/man1/assay.1 share/bash-completion/completions/assay share/zsh/site-functions/_assay \
            share/fish/vendor_completions.d/assay.fish share/doc/assay/machine_readable.md; do
  [ -s "$work/moved/$file" ] || { echo "$file is not there, or empty"; exit 1; }
done
{ cmake -S "$source/docs/example" -B example -DCMAKE_PREFIX_PATH="$work/moved" && cmake --build example &&
  ctest --test-dir example --output-on-failure; } >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
grep -q '100% tests passed' "$work/log"
# A kernel that is wrong must be told.
sed 's/row % 8/row % 4/' "$source/docs/example/own_kernel_test.cc" >"$work/wrong.cc"
cp -r "$source/docs/example" wrong_example && mv "$work/wrong.cc" wrong_example/own_kernel_test.cc
{ cmake -S wrong_example -B wrong -DCMAKE_PREFIX_PATH="$work/moved" && cmake --build wrong; } >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
! ctest --test-dir wrong >"$work/log" 2>&1
# The Debian package holds the same program.
(cd "$build" && cpack -B "$work/deb") >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
dpkg -x "$work"/deb/assay_*.deb "$work/unpacked"
[ "$("$work/unpacked/usr/bin/assay" --version)" = "$("$bin" --version)" ]
# It says who owns it, and who owns what it has of others, in the form that Debian's tools read.
doc=$work/unpacked/usr/share/doc/assay
head -n 1 "$doc/copyright" | grep -qx 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/'
for name in $(sed -n 's/^License: //p' "$doc/copyright" | sed 's/ and /\n/g' | sort -u); do
  awk -v name="License: $name" '$0 == name && (getline text) > 0 && text ~ /^ / { found = 1 } END { exit !found }' "$doc/copyright" ||
    { echo "copyright: no text of $name"; exit 1; }
done
for file in LICENSE NOTICE LICENSES/cutlass.BSD-3-Clause.txt; do
  cmp "$source/$file" "$doc/$file" || { echo "$file is not in the package"; exit 1; }
done
