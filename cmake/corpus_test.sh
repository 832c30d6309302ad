#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What fuzz/add_to_corpus.sh makes of inputs: the same archive in whatever order they come, none of them replaced.
# corpus_test.sh SOURCE
set -eu
command -v xz >/dev/null || exit 77
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" && mkdir -p fuzz/targets fuzz/corpus more
cp "$1/fuzz/add_to_corpus.sh" fuzz && touch fuzz/targets/one.cc fuzz/targets/other.cc
echo a >more/a && echo b >more/b && echo c >c
fuzz/add_to_corpus.sh one more/b c
fuzz/add_to_corpus.sh one more | grep -qx 'new inputs in fuzz/corpus/one.tar.xz: 1'
touch -d @7 c && fuzz/add_to_corpus.sh other c more
cmp fuzz/corpus/one.tar.xz fuzz/corpus/other.tar.xz
echo otherwise >c && fuzz/add_to_corpus.sh one c && cmp fuzz/corpus/one.tar.xz fuzz/corpus/other.tar.xz
[ "$(tar -tf fuzz/corpus/one.tar.xz | tr '\n' ' ')" = 'a b c ' ]
! fuzz/add_to_corpus.sh neither c 2>error && grep -q "unknown fuzz target 'neither'" error
