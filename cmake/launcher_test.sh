#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the launcher says while it builds, with programs in place of cmake and ninja: a line now and then where nobody
# looks on, one line that is written over on a terminal, what was wrong when the build fails, nothing when it is built.
set -u
source=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/bin" "$scratch/tree/build/release"
cp "$source/assay" "$scratch/tree/assay"
cat >"$scratch/bin/cmake" <<'END'
#!/bin/sh
exit 0
END
cat >"$scratch/bin/ninja" <<'END'
#!/bin/sh
for i in $(seq 30); do echo "${NINJA_STATUS%%\%*}$i/60] Building CXX object file_$i.o"; sleep 0.1; done
[ ! -e "$FAILS" ] || { echo "FAILED: file_41.o"; echo "file.cc:1: error: no such thing"; exit 1; }
printf '#!/bin/sh\necho ran "$@"\n' >build/release/assay
chmod +x build/release/assay
END
sed -i 's|^for|cd "$2/../.."; for|' "$scratch/bin/ninja"
# Nothing is to be installed, whatever this machine lacks.
printf '#!/bin/sh\necho "ii "\n' >"$scratch/bin/dpkg-query"
chmod +x "$scratch"/bin/*
export PATH=$scratch/bin:$PATH FAILS=$scratch/fails ASSAY_PROGRESS_SECONDS=1
# What CI or a user set for this machine is not what is tested.
unset ASSAY_PRESET ASSAY_ALL_TESTS ASSAY_NO_INSTALL
failed=0
expect() {  # $1: what; $2: text; $3: extended regular expression
  printf '%s' "$2" | grep -Eq -- "$3" || { echo "$1: no '$3' in:"; printf '%s\n' "$2"; failed=1; }
}
refuse() {
  ! printf '%s' "$2" | grep -Eq -- "$3" || { echo "$1: '$3' in:"; printf '%s\n' "$2"; failed=1; }
}

text=$("$scratch/tree/assay" 2>&1 </dev/null)
[ $? = 0 ] || { echo "alone: exit code"; failed=1; }
expect 'alone' "$text" 'nothing is built yet. ./assay run builds'
refuse 'alone' "$text" 'building'

text=$("$scratch/tree/assay" list x 2>&1 </dev/null)
expect 'no terminal' "$text" '^assay: building [0-9]+ of 60, about [0-9]+ s left$'
expect 'no terminal' "$text" '^assay: built in [0-9]+ s$'
expect 'no terminal' "$text" '^ran list x$'
refuse 'no terminal' "$text" 'Building CXX'
text=$("$scratch/tree/assay" list x 2>&1 </dev/null)
[ "$text" = 'ran list x' ] || { echo "built already: $text"; failed=1; }
text=$("$scratch/tree/assay" 2>&1 </dev/null)
[ "$text" = 'ran' ] || { echo "alone, built: $text"; failed=1; }

rm -f "$scratch/tree/build/release/assay"
text=$(script -qec "'$scratch/tree/assay' list x" /dev/null </dev/null)
expect 'terminal' "$text" $'\r\033\\[Kassay: building [0-9]+ of 60, about [0-9]+ s left'
[ "$(printf '%s' "$text" | tr -d '\n' | grep -o $'assay: building [0-9]* of 60[^\r]*\r' | wc -l)" -ge 2 ] ||
  { echo "terminal: not written over: $text"; failed=1; }

rm -f "$scratch/tree/build/release/assay"
touch "$FAILS"
text=$("$scratch/tree/assay" list x 2>&1 </dev/null)
[ $? = 2 ] || { echo "a build that fails: exit code"; failed=1; }
expect 'a build that fails' "$text" 'error: no such thing'
expect 'a build that fails' "$text" '^assay: the build failed'
refuse 'a build that fails' "$text" '^ran'

# Which tests a commit is judged by depends on its files alone.
refuse '.ci/run' "$(sed 's/#.*//' "$source/.ci/run")" '\b(git|date|RANDOM|SECONDS)\b'

rm -f "$FAILS"
cat >"$scratch/bin/ctest" <<'END'
#!/bin/sh
echo ctest "$@"
END
chmod +x "$scratch/bin/ctest"
text=$("$scratch/tree/assay" test 2>/dev/null </dev/null)
expect 'tests' "$text" '^ctest .* -LE \^\(long\|ledger\)\$$'
text=$("$scratch/tree/assay" test --ledger -V 2>/dev/null </dev/null)
expect 'the ledger' "$text" '^ctest .* -L \^ledger\$ -V$'
text=$("$scratch/tree/assay" test --long 2/3 -V 2>/dev/null </dev/null)
expect 'a share of the long tests' "$text" '^ctest .* -L \^long\$ -I 2,,3 -V$'
text=$("$scratch/tree/assay" test --long 2>/dev/null </dev/null)
expect 'the long tests' "$text" '^ctest .* -L \^long\$$'
# The share that the sources name: the same for the same text, whenever it was written and whatever was built; all come up.
share_of() {  # $1: text of the source, $2: its date
  echo "$1" >"$scratch/tree/by_text.cc"; touch -d "$2" "$scratch/tree/by_text.cc"
  "$scratch/tree/assay" test --long sources/4 -V 2>/dev/null </dev/null | sed -n 's/^ctest .* -I \([1-4]\),,4 -V$/\1/p'
}
first=$(share_of '// 1' 2001-01-01) shares=""
echo '// 1' >"$scratch/tree/build/built.cc"
[ "$(share_of '// 1' 2002-02-02)" = "$first" ] || { echo "a share by sources: another for the same"; failed=1; }
for number in 1 2 3 4 5 6 7 8; do shares="$shares$(share_of "// $number" 2001-01-01) "; done
for share in 1 2 3 4; do expect 'a share by sources' "$shares" "$share"; done
rm "$scratch/tree/by_text.cc" "$scratch/tree/build/built.cc"
for share in 4/3 0/3; do
  text=$("$scratch/tree/assay" test --long $share 2>&1 </dev/null)
  [ $? = 2 ] || { echo "a share of $share: exit code"; failed=1; }
  expect "a share of $share" "$text" "invalid share of the long tests '$share'; expected I/N with I from 1 to N"
  refuse "a share of $share" "$text" '^ctest'
done

# What only tests run is installed while all is built, and is there before they begin.
rm -f "$scratch/tree/build/release/.assay-built-all" "$scratch/tree/build/release/assay"
printf '#!/bin/sh\n[ "$3" = zsh ] && [ ! -e "$INSTALLED" ] || echo "ii "\n' >"$scratch/bin/dpkg-query"
cat >"$scratch/bin/apt-get" <<'END'
#!/bin/sh
[ "$1" = install ] || exit 0
[ ! -e "$NO_NETWORK" ] || { echo "E: no such package"; exit 1; }
for i in $(seq 100); do [ ! -e "$BUILT" ] || break; sleep 0.1; done
[ -e "$BUILT" ] || { echo "E: nothing was built meanwhile"; exit 1; }
sleep 1; echo "$@" >"$INSTALLED"
END
printf '#!/bin/sh\necho "${USER_NUMBER:-0}"\n' >"$scratch/bin/id"
printf '#!/bin/sh\nexit 1\n' >"$scratch/bin/sudo"
printf '#!/bin/sh\necho "ctest after $(cat "$INSTALLED")"\n' >"$scratch/bin/ctest"
chmod +x "$scratch"/bin/*
export BUILT=$scratch/tree/build/release/assay INSTALLED=$scratch/installed NO_NETWORK=$scratch/no_network USER_NUMBER=0
text=$("$scratch/tree/assay" test 2>&1 </dev/null)
refuse 'a user runs the tests' "$text" 'installing'
expect 'a user runs the tests' "$text" '^ctest after'
rm -f "$scratch/tree/build/release/.assay-built-all" "$scratch/tree/build/release/assay"
export ASSAY_ALL_TESTS=1
text=$(ASSAY_NO_INSTALL=1 "$scratch/tree/assay" test 2>&1 </dev/null)
[ $? = 2 ] || { echo "nothing may be installed: exit code"; failed=1; }
expect 'nothing may be installed' "$text" 'ASSAY_NO_INSTALL is set; run: apt-get install zsh'
[ ! -e "$INSTALLED" ] || { echo "nothing may be installed, and was"; failed=1; }
rm -f "$scratch/tree/build/release/.assay-built-all" "$scratch/tree/build/release/assay"
text=$("$scratch/tree/assay" test 2>&1 </dev/null)
expect 'installed meanwhile' "$text" '^assay: installing packages: zsh'
expect 'installed meanwhile' "$text" '^ctest after install .*zsh'
rm -f "$INSTALLED" "$scratch/tree/build/release/.assay-built-all"; touch "$NO_NETWORK"
text=$("$scratch/tree/assay" test 2>&1 </dev/null)
[ $? = 2 ] || { echo "nothing to install from: exit code"; failed=1; }
expect 'nothing to install from' "$text" 'could not install .*missing: zsh'
refuse 'nothing to install from' "$text" '^ctest'
rm -f "$scratch/tree/build/release/.assay-built-all"
text=$(USER_NUMBER=1000 "$scratch/tree/assay" test 2>&1 </dev/null)
[ $? = 2 ] || { echo "no rights: exit code"; failed=1; }
expect 'no rights' "$text" '^assay: packages are missing and cannot be installed without root or sudo: apt-get install zsh'
refuse 'no rights' "$text" 'built in'
exit $failed
