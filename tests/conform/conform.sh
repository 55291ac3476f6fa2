#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Build the conformance programs of a folder and run each: conform.sh BUILDDIR FOLDER[/PROGRAM] LAYOUT...
# A layout is PxT (P processes, T endpoints each, by eprun), or mpi4 (4 processes of the plain MPI library).
# Fortran's are in folders f/..., each source built once for each style (f/conform_f.h); NAME_shared.F90 is a shared library of NAME.F90.
# NAME.c with NAME_f.f90 is one program in both languages, and NAME_shared.c a shared library of it.
# One line per failure, and a summary. From the environment: EPCC, EPCXX, EPFORT, EPRUN for PxT; MPICC, MPICXX, MPIFORT,
# MPIRUN for mpiN; JOBS, LIMIT (seconds per run), CFLAGS, FFLAGS.
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 3 ] || { echo "usage: conform.sh BUILDDIR FOLDER[/PROGRAM] LAYOUT..." >&2; exit 2; }
top=$1 folder=$2 only=
[ -d "$here/$2" ] || { folder=${2%/*} only=$(basename "${2%.*}"); }
shift 2
: "${EPCC:=epcc}" "${EPCXX:=epc++}" "${EPFORT:=epfort}" "${EPRUN:=eprun}"
: "${MPICC:=mpicc}" "${MPICXX:=mpicxx}" "${MPIFORT:=mpifort}" "${MPIRUN:=mpirun}"
: "${JOBS:=2}" "${LIMIT:=120}" "${CFLAGS:=-O1 -g -Wall -Wno-deprecated-declarations}"
# The argument that may be of any type has no interface in mpif.h.
: "${FFLAGS:=-O1 -cpp -ffree-line-length-none -fallow-argument-mismatch -w}"
read -ra cflags <<<"$CFLAGS"
read -ra fflags <<<"$FFLAGS"

# told FILE WHAT: the value of its comment "conform: WHAT value".
told() { sed -n "/.*conform: $2 /{s///; s| *\*/.*||; p; q}" "$1"; }

# A program is its source, in Fortran with the style after a colon: one for each.
styles_of() { if [[ $1 == *.F* ]]; then told "$1" styles | grep . || echo H MPI F08; fi; }
# name_of PROGRAM: what its files are called.
name_of() {
    local source=${1%:*} style=
    [[ $1 == *:* ]] && style=-${1##*:}
    echo "${folder//\//-}-$(basename "${source%.*}")$style"
}

# In mpiN's programs: which library that is.
plain=PLAIN_OPENMPI
[[ " $* " == *" mpi"* ]] && $MPIFORT -show 2>/dev/null | grep -q mpich && plain=PLAIN_MPICH

# fortran KIND STYLE ARGUMENT...: compile, with the modules of the kind and style.
fortran() {
    local fc=("$EPFORT") modules=$top/$1/$2
    [ "$1" = mpi ] && fc=($MPIFORT -D$plain)
    "${fc[@]}" "${fflags[@]}" -I"$here/f" -J"$modules" -D"STYLE_$2" "${@:3}"
}

# build_fortran KIND SOURCE STYLE FLAG...
build_fortran() {
    local out=$top/$1/$(name_of "$2:$3") shared=${2%.*}_shared.F90 library=()
    if [ -f "$shared" ]; then
        library=("$top/$1/lib$(name_of "$2:$3").so")
        fortran "$1" "$3" -shared -fPIC "$shared" -o "${library[0]}" || return
        library+=(-Wl,-rpath,"$top/$1")
    fi
    fortran "$1" "$3" "$2" "$top/$1/$3/conform.o" "${library[@]}" -o "$out" "${@:4}"
}

# build_mixed KIND SOURCE CC: linked as Fortran's, who knows the libraries of both.
build_mixed() {
    local out=$top/$1/$(name_of "$2") fc=$EPFORT
    [ "$1" = mpi ] && fc=$MPIFORT
    local library=()
    mkdir -p "$out.modules"
    if [ -f "${2%.c}_shared.c" ]; then
        library=("$top/$1/lib$(name_of "$2").so")
        $3 "${cflags[@]}" -shared -fPIC "${2%.c}_shared.c" -o "${library[0]}" || return
        library+=(-Wl,-rpath,"$top/$1")
    fi
    $fc "${fflags[@]}" -J"$out.modules" -c "${2%.c}_f.f90" -o "$out-f.o" &&
        $3 "${cflags[@]}" -I"$here" -c "$2" -o "$out-c.o" &&
        $fc "$out-c.o" "$out-f.o" "$top/$1/conform.o" "${library[@]}" -o "$out" "${@:4}"
}

# build KIND PROGRAM: it is $top/KIND/NAME, what the compiler said in .log beside it.
build() {
    local out=$top/$1/$(name_of "$2") cc=$EPCC flags
    [ "$1" = mpi ] && cc=$MPICC
    if [[ $2 == *.cc ]]; then
        cc=$EPCXX
        [ "$1" = mpi ] && cc=$MPICXX
    fi
    read -ra flags <<<"$(told "${2%:*}" flags)"
    rm -f "$out"
    if [[ $2 == *:* ]]; then
        build_fortran "$1" "${2%:*}" "${2##*:}" "${flags[@]}" >"$out.log" 2>&1
        return
    fi
    if [ -f "${2%.c}_f.f90" ]; then
        build_mixed "$1" "$2" "$cc" "${flags[@]}" >"$out.log" 2>&1
        return
    fi
    $cc "${cflags[@]}" -I"$here" "$2" "$top/$1/conform.o" "$top/$1/comms.o" -o "$out" -lm -lpthread "${flags[@]}" \
        >"$out.log" 2>&1
}

# Files that both kinds of C compilers share are compiled once, and the modules of each style of Fortran.
prepare() {
    local cc=$EPCC part style
    [ "$1" = mpi ] && cc=$MPICC
    mkdir -p "$top/$1"
    (
        flock 9
        if [[ $folder == f/* ]]; then
            for style in H MPI F08; do
                mkdir -p "$top/$1/$style"
                [ "$top/$1/$style/conform.o" -nt "$here/f/conform.F90" ] && [ -z "$only" ] && continue
                fortran "$1" $style -c "$here/f/conform.F90" -o "$top/$1/$style/conform.o" || exit 1
            done
            exit 0
        fi
        for part in conform comms; do
            [ "$top/$1/$part.o" -nt "$here/$part.c" ] && [ "$top/$1/$part.o" -nt "$here/conform.h" ] &&
                [ -z "$only" ] && continue
            $cc "${cflags[@]}" -c "$here/$part.c" -o "$top/$1/$part.o" || exit 1
        done
    ) 9>"$top/$1/lock" || exit 2
}

# run LAYOUT PROGRAM: 0 if all is well, else a line says what is not.
run() {
    local kind=ep what=$folder/$(basename "$2") source=${2%:*} program status want args command
    [[ $1 == mpi* ]] && kind=mpi
    program=$top/$kind/$(name_of "$2")
    if [ ! -x "$program" ]; then
        echo "FAIL $what $1: does not build: $(grep -m1 -E 'error|undefined|:' "$program.log")"
        return 1
    fi
    read -ra args <<<"$(told "$source" args)"
    if [ $kind = mpi ]; then
        command=($MPIRUN -n "${1#mpi}")
    else
        command=($EPRUN -n "${1%x*}" -t "${1#*x}")
    fi
    [ -n "$(told "$source" alone)" ] && { [ $kind = mpi ] && command=($MPIRUN -n 1) || command=($EPRUN -n 1 -t 1); }
    # The shell says on its own stderr what signal ended a command.
    {
        timeout -k 5 "$LIMIT" "${command[@]}" "$program" "${args[@]}" >"$program.$1.out" 2>&1 </dev/null
        status=$?
    } 2>/dev/null
    want=$(told "$source" status)
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

# fails_there LAYOUT PROGRAM: it is known that it fails with this plain library (and in this style).
fails_there() {
    local what=openmpi
    [ $plain = PLAIN_MPICH ] && what=mpich
    [[ $2 == *:* ]] && what+=-${2##*:}
    [[ $1 == mpi* && " $(told "${2%:*}" fails) " == *" $what "* ]]
}

programs=()
for source in "$here/$folder"/*.c "$here/$folder"/*.cc "$here/$folder"/*.F90 "$here/$folder"/*.F; do
    [ -f "$source" ] && [[ $source != *_shared.* ]] || continue
    [ -n "$only" ] && [ "$(basename "${source%.*}")" != "$only" ] && continue
    styles=$(styles_of "$source")
    [ -n "$styles" ] || programs+=("$source")
    for style in $styles; do programs+=("$source:$style"); done
done
[ ${#programs[@]} -gt 0 ] || { echo "conform.sh: no programs in $here/$folder" >&2; exit 2; }

kinds=$(for layout in "$@"; do [[ $layout == mpi* ]] && echo mpi || echo ep; done | sort -u)
for kind in $kinds; do
    prepare "$kind"
    for program in "${programs[@]}"; do
        while [ "$(jobs -rp | wc -l)" -ge "$JOBS" ]; do wait -n; done
        build "$kind" "$program" &
    done
    wait
done
runs=0 failed=0
run_once() {
    fails_there "$1" "$2" && return
    runs=$((runs + 1))
    run "$1" "$2" || failed=$((failed + 1))
}
for layout in "$@"; do
    for program in "${programs[@]}"; do run_once "$layout" "$program"; done
done
for program in "${programs[@]}"; do
    for layout in $(told "${program%:*}" layouts); do run_once "$layout" "$program"; done # these, too
done
echo "$folder: ${#programs[@]} programs, $runs runs, $failed failed"
[ $failed = 0 ]
