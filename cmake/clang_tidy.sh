#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clang-tidy on the sources that changed since a commit: clang_tidy.sh BASE BUILD. BUILD is a build folder whose generated
# headers are there. What is found is an error (.clang-tidy).
set -eu
cd "$(dirname "$0")/.."
base=$1 generated=$2/generated
git rev-parse --quiet --verify "$base^{commit}" >/dev/null || { echo "clang-tidy: no commit $base in this clone to compare with"; exit 0; }
git diff -z --name-only --diff-filter=d "$base" -- '*.cc' ':!docs' |
  xargs -0 -r -n 1 -P "$(nproc)" sh -c 'clang-tidy-14 --quiet "$1" -- -std=c++20 -I. -I"$0" -DASSAY_SOURCE_DIR=\"\" \
    -DASSAY_BINARY_DIR=\"\" -DASSAY_VECTORS=\"\"' "$generated"
