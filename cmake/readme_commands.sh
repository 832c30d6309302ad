#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs every command of the sh blocks of README.md and docs/commands.md but the test command itself. Each must exit with
# 0, or with the code that its comment names: `# exit code 1`. What the README shows of their output must be in it, line by
# line, each as far as "...".
# readme_commands.sh SOURCE PRESET [fuzz|others]: those that build with libFuzzer first, the others, or all.
set -u
cd "$1" || exit 2
export ASSAY_PRESET=$2
commands=$(awk '/^```sh$/ {inside = 1; next} /^```$/ {inside = 0} inside' README.md docs/commands.md |
  sed -z 's/\\\n *//g' | grep -v -e '^\./assay test' -e '^#')
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
while IFS= read -r line; do
  command=$(sed 's/  *# .*//' <<<"$line") expected=0
  [[ $line =~ '# exit code '([0-9]+) ]] && expected=${BASH_REMATCH[1]}
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
  cat "$out/log" >>"$out/all"
  [ $code = $expected ] || { echo "exit code $code, expected $expected:"; tail -n 20 "$out/log"; failed=1; }
done <<<"$commands"
if [ "${3:-}" != fuzz ]; then
  while IFS= read -r line; do
    grep -qF -- "${line%%...*}" "$out/all" || { echo "README shows what no command said: $line"; failed=1; }
  done < <(awk '/^```/ {if (inside) inside = 0; else {inside = 1; shown = $0 == "```"}; next} inside && shown' README.md)
fi
exit $failed
