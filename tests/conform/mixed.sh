#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Build the programs of mixed, each of a file in C and one in Fortran, and run them: mixed.sh BUILDDIR LAYOUT...
# Layouts as in conform.sh, which see; also EPFORT and MPIFORT in the environment. "conform: only ep" in the file in C: the plain library
# has not all of it. "conform: layouts LAYOUT...": these too.
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$1/mixed
shift
: "${EPCC:=epcc}" "${EPFORT:=epfort}" "${EPRUN:=eprun}" "${MPICC:=mpicc}" "${MPIFORT:=mpifort}" "${MPIRUN:=mpirun}" "${LIMIT:=120}"
cflags=(-O1 -g -Wall -Wextra -Wno-deprecated-declarations)
# One procedure is called with buffers and callbacks of several types.
fflags=(-O1 -g -Wall -Wno-unused-dummy-argument -fallow-argument-mismatch -w)

told() { sed -n "s|.*conform: $2 *\(.*[^ ]\) *\*/.*|\1|p" "$1" | head -1; }

# build KIND NAME
build() {
    local dir=$top/$1 cc=$EPCC fort=$EPFORT
    [ "$1" = mpi ] && cc=$MPICC fort=$MPIFORT
    mkdir -p "$dir/$2.mod"
    rm -f "$dir/$2"
    { $cc "${cflags[@]}" -I"$here" -c "$here/conform.c" -o "$dir/$2-conform.o" &&
        $cc "${cflags[@]}" -I"$here" -c "$here/mixed/$2.c" -o "$dir/$2-c.o" &&
        $fort "${fflags[@]}" -J"$dir/$2.mod" -c "$here/mixed/${2}_f.f90" -o "$dir/$2-f.o" &&
        $fort "$dir/$2-c.o" "$dir/$2-f.o" "$dir/$2-conform.o" -o "$dir/$2"; } >"$dir/$2.log" 2>&1
}

# run LAYOUT NAME
run() {
    local command status kind=ep
    [[ $1 == mpi* ]] && kind=mpi
    if [ $kind = mpi ]; then
        command=($MPIRUN -n "${1#mpi}")
    else
        command=($EPRUN -n "${1%x*}" -t "${1#*x}")
    fi
    timeout -k 5 "$LIMIT" "${command[@]}" "$top/$kind/$2" >"$top/$kind/$2.$1.out" 2>&1 </dev/null
    status=$?
    [ $status = 0 ] && grep -q '^ No Errors' "$top/$kind/$2.$1.out" && return 0
    echo "FAIL mixed/$2 $1: exit status $status: $(grep -v '^ *$' "$top/$kind/$2.$1.out" | head -3)"
    return 1
}

runs=0 failed=0
for source in "$here"/mixed/*.c; do
    name=$(basename "${source%.c}")
    read -ra more <<<"$(told "$source" layouts)"
    for layout in "$@" "${more[@]}"; do
        kind=ep
        [[ $layout == mpi* ]] && kind=mpi
        [ $kind = mpi ] && [ -n "$(told "$source" only)" ] && continue
        runs=$((runs + 1))
        if [ ! -x "$top/$kind/$name" ] || [ "$layout" = "$1" ]; then
            build $kind "$name" || {
                echo "FAIL mixed/$name: does not build: $(grep -m1 -E 'rror|undefined' "$top/$kind/$name.log")"
                failed=$((failed + 1))
                break
            }
        fi
        run "$layout" "$name" || failed=$((failed + 1))
    done
done
echo "mixed: $runs runs, $failed failed"
[ $failed = 0 ]
