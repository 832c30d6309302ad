#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Adds inputs to the corpus of a fuzz target under their files' names; an input whose name is taken stays as it is. The
# archive depends on its inputs alone, not on their order, owner or time. add_to_corpus.sh TARGET FILE|FOLDER...
set -eu
export LC_ALL=C
fail() { echo "add_to_corpus.sh: $2" >&2; exit "$1"; }
[ $# -ge 2 ] || fail 64 "expected TARGET FILE|FOLDER..."
here=$(dirname "$(realpath "$0")") target=$1 && shift
[ -e "$here/targets/$target.cc" ] || fail 64 "unknown fuzz target '$target'; expected the name of a file in fuzz/targets"
command -v xz >/dev/null || fail 2 "xz (package xz-utils) is not installed"
archive=$here/corpus/$target.tar.xz inputs=$(mktemp -d) && trap 'rm -rf "$inputs"' EXIT
[ ! -e "$archive" ] || tar -C "$inputs" -xJf "$archive"
before=$(ls "$inputs" | wc -l)
find "$@" -type f -exec cp --no-clobber -t "$inputs" {} +
cd "$inputs"
tar --format=ustar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=644 -cf - -- * | xz -9e >"$archive.new"
mv "$archive.new" "$archive"
echo "new inputs in fuzz/corpus/$target.tar.xz: $(($(ls | wc -l) - before))"
