#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Build the conformance programs of a folder and run each: conform.sh BUILDDIR FOLDER[/PROGRAM] LAYOUT...
# A layout is PxT (P processes, T endpoints each, by eprun), or mpi4 (4 processes of the plain MPI library).
# One line per failure, and a summary. From the environment: EPCC, EPCXX, EPRUN for PxT; MPICC, MPICXX, MPIRUN for
# mpiN; JOBS, LIMIT (seconds per run), CFLAGS.
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 3 ] || { echo "usage: conform.sh BUILDDIR FOLDER[/PROGRAM] LAYOUT..." >&2; exit 2; }
top=$1 folder=${2%%/*} only=
[[ $2 == */* ]] && only=$(basename "${2#*/}")
only=${only%.*}
shift 2
: "${EPCC:=epcc}" "${EPCXX:=epc++}" "${EPRUN:=eprun}" "${MPICC:=mpicc}" "${MPICXX:=mpicxx}" "${MPIRUN:=mpirun}"
: "${JOBS:=2}" "${LIMIT:=60}" "${CFLAGS:=-O1 -g -Wall -Wno-deprecated-declarations}"
read -ra cflags <<<"$CFLAGS"

# told FILE WHAT: the value of its comment "conform: WHAT value".
told() { sed -n "s|.*conform: $2 *\(.*[^ ]\) *\*/.*|\1|p" "$1" | head -1; }

# build KIND SOURCE: its program is $top/KIND/folder-name, what the compiler said in .log beside it.
build() {
    local out=$top/$1/$folder-$(basename "${2%.*}") cc=$EPCC flags
    [ "$1" = mpi ] && cc=$MPICC
    if [[ $2 == *.cc ]]; then
        cc=$EPCXX
        [ "$1" = mpi ] && cc=$MPICXX
    fi
    read -ra flags <<<"$(told "$2" flags)"
    rm -f "$out"
    $cc "${cflags[@]}" -I"$here" "$2" "$top/$1/conform.o" "$top/$1/comms.o" -o "$out" -lm -lpthread "${flags[@]}" \
        >"$out.log" 2>&1
}

# Files that both kinds of C compilers share are compiled once.
prepare() {
    local cc=$EPCC part
    [ "$1" = mpi ] && cc=$MPICC
    mkdir -p "$top/$1"
    (
        flock 9
        for part in conform comms; do
            [ "$top/$1/$part.o" -nt "$here/$part.c" ] && [ "$top/$1/$part.o" -nt "$here/conform.h" ] &&
                [ -z "$only" ] && continue
            $cc "${cflags[@]}" -c "$here/$part.c" -o "$top/$1/$part.o" || exit 1
        done
    ) 9>"$top/$1/lock" || exit 2
}

# run LAYOUT SOURCE: 0 if all is well, else a line says what is not.
run() {
    local kind=ep what=$folder/$(basename "$2") program status want said args command
    [[ $1 == mpi* ]] && kind=mpi
    program=$top/$kind/$folder-$(basename "${2%.*}")
    if [ ! -x "$program" ]; then
        echo "FAIL $what $1: does not build: $(grep -m1 -E 'error|undefined|:' "$program.log")"
        return 1
    fi
    read -ra args <<<"$(told "$2" args)"
    if [ $kind = mpi ]; then
        command=($MPIRUN -n "${1#mpi}")
    else
        command=($EPRUN -n "${1%x*}" -t "${1#*x}")
    fi
    [ -n "$(told "$2" alone)" ] && { [ $kind = mpi ] && command=($MPIRUN -n 1) || command=($EPRUN -n 1 -t 1); }
    # The shell says on its own stderr what signal ended a command.
    {
        timeout -k 5 "$LIMIT" "${command[@]}" "$program" "${args[@]}" >"$program.$1.out" 2>&1 </dev/null
        status=$?
    } 2>/dev/null
    want=$(told "$2" status)
    if [ -n "$want" ]; then
        [ $status = "$want" ] && return 0
        [ "$want" = nonzero ] && [ $status != 0 ] && [ $status != 124 ] && [ $status != 137 ] && return 0
        echo "FAIL $what $1: exit status $status, not $want"
    else
        [ $status = 0 ] && grep -q '^ No Errors' "$program.$1.out" && return 0
        echo "FAIL $what $1: exit status $status: $(grep -v '^ *$' "$program.$1.out" | head -"${LINES_SHOWN:-1}")"
    fi
    return 1
}

sources=()
for source in "$here/$folder"/*.c "$here/$folder"/*.cc; do
    [ -f "$source" ] || continue
    [ -n "$only" ] && [ "$(basename "${source%.*}")" != "$only" ] && continue
    sources+=("$source")
done
[ ${#sources[@]} -gt 0 ] || { echo "conform.sh: no programs in $here/$folder" >&2; exit 2; }

kinds=$(for layout in "$@"; do [[ $layout == mpi* ]] && echo mpi || echo ep; done | sort -u)
for kind in $kinds; do
    prepare "$kind"
    for source in "${sources[@]}"; do
        while [ "$(jobs -rp | wc -l)" -ge "$JOBS" ]; do wait -n; done
        build "$kind" "$source" &
    done
    wait
done
runs=0 failed=0
for layout in "$@"; do
    for source in "${sources[@]}"; do
        runs=$((runs + 1))
        run "$layout" "$source" || failed=$((failed + 1))
    done
done
echo "$folder: ${#sources[@]} programs, $runs runs, $failed failed"
[ $failed = 0 ]
