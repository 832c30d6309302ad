#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs, moves the tree, runs the program from it by its link, builds the example against it, and runs what is in the
# packages, that of the archive in a root that has the C library and nothing else. $1: source, $2: build folder that is up to
# date.
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
            share/fish/vendor_completions.d/assay.fish share/doc/assay/docs/first_contact.md; do
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
# The Debian package and the archive hold the same program.
(cd "$build" && cpack -B "$work/packages") >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
dpkg -x "$work"/packages/assay_*.deb "$work/unpacked"
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
# What the archive holds runs without a compiler, the CUDA Toolkit, a shell or any library but the C library's.
root=$work/root
mkdir -p "$root/opt" "$root/tmp" "$root/proc" "$root/dev"
tar -xJf "$work"/packages/assay-*.tar.xz -C "$root/opt" --strip-components=1
for file in assay libassay_emulator.so libassay_cudart.so libassay_faults.so; do
  for library in $(ldd "$root/opt/libexec/assay/$file" | grep -o '/[^ ]*'); do
    case ${library##*/} in
      libc.so.6 | libm.so.6 | ld-linux-x86-64.so.2) mkdir -p "$root${library%/*}" && cp -L "$library" "$root$library" ;;
      *) echo "$file needs $library"; exit 1 ;;
    esac
  done
done
targets=$(sed -n 's/.*\.target = "\(sm_[0-9]*a\)".*/\1/p' "$source/reference/spec/arch.h")
for target in $targets; do
  grep -qa "^\.target $target" "$root/opt/libexec/assay/assay" || { echo "the archive has no kernels for $target"; exit 1; }
done
cp "$source/testdata/museum/read_before_commit_arrives.ptx" "$root/tmp"
# Where a sandbox has no namespaces, outside of such a root, and without variables.
if unshare -rm true 2>/dev/null; then
  inside=(unshare -rm sh -c 'mount --rbind /proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"'
          "$root" /opt/bin/assay)
  at=/tmp
else
  inside=(env -i "$root/opt/bin/assay")
  at=$root/tmp
fi
ends_with() {
  local expected=$1 code=0
  shift
  "${inside[@]}" "$@" >"$work/log" 2>&1 || code=$?
  [ $code = "$expected" ] || { echo "assay $*: exit code $code, expected $expected"; cat "$work/log"; exit 1; }
}
ends_with 1 check "$at/read_before_commit_arrives.ptx" --kernel defect --block 128 --arg buffer:512
grep -q missing-mma-wait "$work/log"
for target in $targets; do
  ends_with 0 run tma.tiled.load --device "emulator:$target" --cases 5 --out "$at/out"
done
ends_with 0 screen --device emulator:sm_90a --load wgmma.s8 --cases 3 --out "$at/screen"
ends_with 0 first-contact --device emulator:sm_90a --quiet --out "$at/first-contact.db"
ends_with 0 adopt "$at/first-contact.db"
