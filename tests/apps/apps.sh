#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# apps.sh DIRECTORY [APP...]: builds each app in DIRECTORY with mpicc and with epcc, runs it as 8 processes and as
# 8 endpoints in several layouts, and compares what it says. 1: not all the same.
#   MPICC, MPICXX, EPCC, EPCXX   compilers (mpicc, mpicxx, epcc, epc++)
#   MPIRUN                       launcher with its options, up to the number of processes (mpirun -n)
#   EPRUN                        (eprun)
#   OPTIONS                      of all apps (-q: small)
#   LAYOUTS                      processes x endpoints (1x8 2x4 4x2 8x1)
set -u
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || {
    echo "usage: apps.sh DIRECTORY [APP...]" >&2
    exit 2
}
dir=$1
shift
[ $# -gt 0 ] || set -- halo cg particles blocks transpose fft sparse hydro service objects
layouts=${LAYOUTS:-1x8 2x4 4x2 8x1}
options=${OPTIONS--q}
failed=0
mkdir -p "$dir" || exit 2
dir=$(cd "$dir" && pwd)

# build APP C_COMPILER C++_COMPILER PROGRAM: all its sources, one by one, then linked.
build() {
    compiler=$2 suffix=c objects=
    [ -e "$here/$1/main.cc" ] && compiler=$3 suffix=cc
    rm -f "$4"
    for source in "$here/$1"/*."$suffix"; do
        object=$4.$(basename "$source").o
        $compiler -O2 -pthread -c -o "$object" "$source" || return 1
        objects="$objects $object"
    done
    $compiler -pthread -o "$4" $objects -lm
}

# What does not depend on time and order.
said() {
    grep -v '^TIME' "$1" | sort
}

# check APP LAYOUT OUTPUT STATUS: one more cell of the table.
check() {
    verdict=same
    if [ "$4" = 124 ]; then
        verdict=hangs
    elif [ "$4" != 0 ]; then
        verdict="status $4"
    elif [ "$(grep -c '^RESULT .* PASSED$' "$3")" != 1 ]; then
        verdict='no result'
    elif [ "$(said "$3")" != "$(said "$dir/$1.out")" ]; then
        verdict=differs
    fi
    if [ "$verdict" = same ]; then
        verdict=$(awk '/^TIME/ { printf "%.3f s", $3 }' "$3")
    else
        failed=1
        {
            echo "$1, $2: $verdict"
            tail -q -n 20 "$3" "$3.err"
        } >>"$dir/differences"
    fi
    printf ' %-10s' "$verdict"
}

try() {
    build "$1" "${MPICC:-mpicc}" "${MPICXX:-mpicxx}" "$dir/$1.mpi" 2>"$dir/$1.log" &&
        build "$1" "${EPCC:-epcc}" "${EPCXX:-epc++}" "$dir/$1.ep" 2>>"$dir/$1.log" || {
        echo ' does not build'
        cat "$dir/$1.log" >>"$dir/differences"
        failed=1
        return
    }
    timeout 100 ${MPIRUN:-mpirun -n} 8 "$dir/$1.mpi" $options >"$dir/$1.out" 2>"$dir/$1.out.err" </dev/null
    check "$1" processes "$dir/$1.out" $?
    for layout in $layouts; do
        timeout 100 ${EPRUN:-eprun} -n "${layout%x*}" -t "${layout#*x}" "$dir/$1.ep" $options \
            >"$dir/$1.$layout" 2>"$dir/$1.$layout.err" </dev/null
        check "$1" "$layout" "$dir/$1.$layout" $?
    done
    echo
}

: >"$dir/differences"
printf '%-10s' '' && printf ' %-10s' processes $layouts && echo
for app; do
    printf '%-10s' "$app"
    try "$app"
done
cat "$dir/differences"
exit $failed
