#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# private.sh [WORKDIR]: what libc keeps for a process, libep_image keeps for each endpoint, and it works as libc's.
# EPCC, EPCXX and EPRUN in the environment name the commands, CC a plain compiler.
set -u
EPCC=${EPCC:-epcc} EPCXX=${EPCXX:-epc++} EPRUN=${EPRUN:-eprun}
here=$(cd "$(dirname "$0")/private" && pwd)
if [ $# -gt 0 ]; then
    work=$1
    mkdir -p "$work"
else
    work=$(mktemp -d) || exit 1
    trap 'rm -rf "$work"' EXIT
fi
failed=0

fail() {
    echo "not ok: $*"
    failed=1
}

# The same program says the same with libc's functions and with ours.
cases() {
    ours=
    for dir in $($EPCC --showme:libdirs); do
        ours="$ours -L$dir -Wl,-rpath,$dir"
    done
    for kind in libc ours; do
        [ $kind = ours ] || libs=
        [ $kind = libc ] || libs="$ours -lep_image -lep -Wl,--exclude-libs,libep_image.a"
        mkdir -p "$work/$kind"
        ${CC:-cc} -g -o "$work/$kind/$1" "$here/$1.c" $libs || {
            fail "$1 with $kind does not build"
            return
        }
        printf '17 apples\nline\n' | (cd "$work/$kind" && HOME=/home timeout 60 "./$1" >"$1.out" 2>&1) ||
            fail "$1 with $kind: status $?"
    done
    if cmp -s "$work/libc/$1.out" "$work/ours/$1.out"; then
        echo "ok: $1"
    else
        fail "$1 differs from libc"
        diff "$work/libc/$1.out" "$work/ours/$1.out" | head -20
    fi
}

# endpoints COMPILER FILE LAYOUT [ARGUMENT...]: the program's own checks, many ranks at the same time.
endpoints() {
    program=${2%.*} file=$2 compiler=$1 layout=$3
    shift 3
    $compiler -O1 -g -Wall -o "$work/$program" "$here/$file" || {
        fail "$file does not build"
        return
    }
    printf '17 apples\nsecond line\n' |
        timeout 120 $EPRUN -n ${layout%x*} -t ${layout#*x} "$work/$program" "$@" >"$work/$program.out" 2>&1
    status=$?
    if [ $status -eq 0 ] && grep -q '^ok, 8 ranks' "$work/$program.out"; then
        echo "ok: $program $layout"
    else
        fail "$program $layout: status $status"
        cat "$work/$program.out"
    fi
}

cases cases_getopt
cases cases_libc
for layout in 1x8 2x4; do
    endpoints "$EPCC" options.c $layout -b file -a word -b
    for file in numbers words variables times input own; do
        endpoints "$EPCC" $file.c $layout
    done
    endpoints "$EPCXX" input_cxx.cc $layout
    endpoints "$EPCC" pages.c $layout shared
    endpoints "$EPCC -DINDIRECT" pages.c $layout own
done
${CC:-cc} -O1 -shared -fPIC -o "$work/libtable.so" "$here/table.c" || fail "table.c does not build"
EPRUN="$EPRUN --private=libtable" endpoints "$EPCC -Wl,--no-as-needed $work/libtable.so -Wl,-rpath,$work" resolver.c 1x8
exit $failed
