#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs every command of the README's sh blocks but the test command itself, each of which must exit 0.
# readme_commands.sh SOURCE PRESET [fuzz|others]: those that build with libFuzzer first, the others, or all.
set -u
cd "$1" || exit 2
export ASSAY_PRESET=$2
commands=$(awk '/^```sh$/ {inside = 1; next} /^```$/ {inside = 0} inside' README.md | sed 's/  *# .*//' | grep -v '^\./assay test')
case "${3:-}" in
  fuzz) commands=$(printf '%s\n' "$commands" | grep '^\./assay fuzz') least=1 ;;
  others) commands=$(printf '%s\n' "$commands" | grep -v '^\./assay fuzz') least=6 ;;
  *) least=6 ;;
esac
[ "$(printf '%s\n' "$commands" | grep -c .)" -ge $least ] || { echo "README: fewer commands than expected"; exit 1; }
failed=0
# The results of a test must not land in the user's folder; later commands read what earlier ones wrote.
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
while IFS= read -r command; do
  echo "== $command"
  case "$command" in
    *assay-out*) ;;
    # Its default of 30 s is time for random cases. Beside other work no time is sure to be enough for everybody's
    # first cases, so it is told how many.
    './assay run') command="$command --cases 4 --out assay-out" ;;
    *' run'*) command="$command --out assay-out" ;;
  esac
  eval "${command//assay-out/$out}" </dev/null >"$out/log" 2>&1
  code=$?
  [ $code = 0 ] || { echo "exit code $code:"; tail -n 20 "$out/log"; failed=1; }
done <<<"$commands"
exit $failed
