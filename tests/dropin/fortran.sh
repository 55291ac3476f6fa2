#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Each rank has a Fortran run-time system of its own: units, output in whole lines, ends, random numbers, the environment. EPFORT, EPCC
# and EPRUN are the commands, FC a plain compiler.
set -u
eprun=$EPRUN epcc=$EPCC epfort=${EPFORT:-${EPCC%cc}fort} fc=${FC:-gfortran}
sources=$(cd "$(dirname "$0")" && pwd)/fortran
command -v "$epfort" >/dev/null && $fc --version 2>/dev/null | grep -q 'GNU Fortran' || exit 77
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
ulimit -c 0
failures=0

fail() {
    failures=$((failures + 1))
    echo "FAILED: $*"
    head -n 20 out err
}

# try COMMAND...: its status goes to $status, its output to out and err.
try() {
    timeout 120 "$@" >out 2>err </dev/null
    status=$?
}

# wants STATUS WHAT: did the last one end so?
wants() {
    [ "$status" = "$1" ] || fail "$2: status $status, not $1"
}

# counts N TEXT WHAT: does the output have N lines that say so?
counts() {
    n=$( (cat out && echo && cat err) | grep -c -e "$2")
    [ "$n" = "$1" ] || fail "$3: $n times \"$2\", not $1"
}

build() {
    "$@" || {
        echo "cannot build: $*"
        exit 1
    }
}

# complete FILE RANKS LINES TEXT WHAT: the file's lines "rank line: text" are all of so many ranks, whole, each rank's in order.
complete() {
    awk -v ranks="$2" -v lines="$3" -v text="$4" \
        'BEGIN { for (r = 0; r < ranks; r++) for (i = 0; i < lines; i++) print r " " i ": " text }' >wanted
    sort -s -n -k1,1 "$1" | cmp -s wanted - || fail "$5: lines are torn or missing"
}

# Thousands of lines of each rank to stdout and stderr, all in files of their own, too.
units() {
    build "$epfort" -g "$sources/units.f90" rank.o -o units
    for shape in '-t 64' '-n 2 -t 32' '-t 300'; do
        lines=1000
        [ "$shape" != '-t 300' ] || lines=40
        mkdir files
        try "$eprun" $shape ./units $lines files
        wants 0 "units $shape"
        ranks=$(ls files | wc -l)
        complete out "$ranks" $lines 'abcdefghij' "units $shape"
        complete err "$ranks" $lines 'error' "unit 0 $shape"
        cat files/* | awk '{ n[$1]++; if ($3 != 3 * $2) exit 1 } END { for (r in n) if (n[r] != '$lines') exit 1 }' ||
            fail "units $shape: files"
        rm -rf files
    done
    [ "$ranks" = 300 ] || fail "$ranks files"
}

# An endpoint ends as a process does: the same status, output and file, and the same on stderr but for addresses, functions of which nobody
# has the names and what eprun says. A process that has no stack left says nothing.
comparable() {
    sed -E '/^eprun: /d; s/^#[0-9]+  0x[0-9a-f]+ //; /^in \?\?\?$/d; /^\tat .*(libc|signal)/d' "$1"
}

ends() {
    build $fc -g -fcheck=bounds "$sources/ends.f90" -o plain/ends
    build "$epfort" -g -fcheck=bounds "$sources/ends.f90" -o ends
    for way in none stop 'stop number' 'stop text' 'stop quiet' 'stop exception' 'error stop' 'error stop number' 'error stop text' exit \
        'runtime error' 'end of file' bounds allocate abort segv fpe overflow; do
        rm -f file
        { try ./plain/ends "$way" file; } 2>/dev/null
        wanted=$status
        cp out plain/out
        comparable err >plain/err
        mv file plain/file
        { try "$eprun" -t 1 ./ends "$way" file; } 2>/dev/null
        wants "$wanted" "ends $way"
        # A rank that crashes loses nothing that it has printed.
        [ "$wanted" -gt 128 ] && printf 'before\nwithout an end' >plain/out
        cmp -s out plain/out || fail "ends $way: other output"
        case $way in segv | overflow | abort | fpe) ;; *) cmp -s file plain/file || fail "ends $way: another file" ;; esac
        comparable err >own
        [ "$way" = overflow ] || diff plain/err own >difference || { fail "ends $way: other messages" && cat difference; }
        [ "$wanted" = 0 ] || counts 1 "^eprun: endpoint 0 of 1 (process 0) .*\(status $wanted\|signal $((wanted - 128))\)" "ends $way"
    done
    try "$eprun" -t 3 ./ends overflow file
    counts 1 'its stack was too small' "overflow"
    counts 1 '^#.* in main$' "overflow"
}

# A question that does not end its line is seen before it is answered.
question() {
    mkfifo answer
    timeout 60 "$eprun" -t 1 ./ends question file >out 2>err <answer &
    program=$!
    exec 3>answer
    until grep -q 'a number?' out || ! kill -0 $program 2>/dev/null; do sleep 0.05; done
    counts 1 'a number?' "a question"
    echo 17 >&3
    exec 3>&-
    wait $program
    status=$?
    wants 0 "a question"
    counts 1 'a number? *17$' "an answer"
}

mkdir plain
build "$epcc" -g -c "$sources/rank.c"
units
ends
question

build "$epfort" -g -pthread "$sources/kinds.f90" rank.o -o kinds
for shape in '-t 1' '-t 8' '-n 2 -t 4'; do
    mkdir files
    echo 'a line' | timeout 120 "$eprun" $shape ./kinds files >out 2>err
    status=$?
    wants 0 "kinds $shape"
    ranks=$(grep -c '^ok$' out)
    sed -i '/^ok$/d' out
    complete out "$ranks" 200 'by name' "kinds $shape"
    [ "$(sort err)" = "$(for r in $(seq 0 $((ranks - 1))); do echo "output of $r"; done)" ] || fail "kinds $shape: unit 6 as a file"
    [ -z "$(ls files)" ] || fail "kinds $shape: files are left: $(ls files)"
    rm -rf files
done

build "$epfort" -g "$sources/own.f90" rank.o -o own
for shape in '-t 8' '-n 2 -t 4'; do
    mkdir files
    OF_ALL=same try "$eprun" $shape ./own files
    wants 0 "own $shape"
    grep ': in Fortran$' out >fortran
    complete fortran 8 200 'in Fortran' "own $shape"
    grep ': in C$' out >c
    complete c 8 200 'in C' "own $shape"
    [ "$(grep -E ' (before|within|behind)$' out | sort -s -n -k1,1)" = \
        "$(for r in 0 1 2 3 4 5 6 7; do printf "$r %s\n" before within behind; done)" ] || fail "own $shape: order of a command's output"
    rm -rf files
done

build "$epfort" -g "$sources/abort.f90" rank.o -o abort
try "$eprun" -t 3 ./abort
wants 3 "MPI_Abort"
counts 1 '^before$' "MPI_Abort"
counts 0 '^eprun' "MPI_Abort"
for shape in '-t 3' '-n 3 -t 1'; do
    try "$eprun" $shape ./abort stop
    wants 7 "one rank stops $shape"
    counts 1 '^before$' "one rank stops $shape"
    counts 1 '^STOP 7$' "one rank stops $shape"
    counts 1 '^eprun: endpoint 1 of 3 .*status 7' "one rank stops $shape"
done

# runs SHAPE LINES TEXT PROGRAM [ARGUMENT...]: does it end well, and say this so often?
runs() {
    shape=$1 lines=$2 text=$3
    shift 3
    mkdir -p files
    try "$eprun" $shape "$@"
    wants 0 "$* $shape"
    counts "$lines" "^$text\$" "$* $shape"
}

# Libraries in Fortran: the program's own, one of others, which is private since it needs what is; one that is known to be made for
# threads, which has a run-time system for all, also where the program would find that first; plug-ins.
libraries() {
    mkdir by_epfort by_other
    build "$epfort" -shared "$sources/library.f90" -o by_epfort/liblibrary.so
    build $fc -shared -fPIC "$sources/library.f90" -o by_other/liblibrary.so
    build $fc -shared -fPIC "$sources/safe.f90" -o by_other/liblapack.so -Wl,-soname,liblapack.so
    build "$epfort" -c "$sources/uses_library.f90"
    build "$epcc" -c "$sources/in_c.c"
    build "$epcc" -DPLUGIN "$sources/in_c.c" -o plugin
    for kind in by_epfort by_other; do
        build "$epfort" uses_library.o rank.o -o uses_library "-L$kind" -llibrary "-Wl,-rpath,$dir/$kind"
        for shape in '-t 8' '-n 2 -t 4'; do
            runs "$shape" 8 'own library' ./uses_library files
        done
        build "$epcc" in_c.o -o in_c -Lby_other "-Wl,--no-as-needed" "-L$kind" -llapack -llibrary "-Wl,-rpath,$dir/$kind:$dir/by_other"
        runs '-t 8' 8 'in C' ./in_c files
        counts 1 '^safe 7$' "a library that is made for threads"
        try "$eprun" -t 1 ./in_c files fail
        wants 5 "a library that is made for threads in a job that fails"
        counts 1 '^safe 0$' "a library that is made for threads in a job that fails"
        EP_PRIVATE=liblapack runs '-t 8' 8 'in C' ./in_c files
        counts 1 '^safe 7$' "the same, private"
        runs '-t 8' 8 'in C' ./plugin files "./$kind/liblibrary.so"
    done
}
libraries

# OpenMP; GCC's alone in task mode.
build "$epfort" -g -fopenmp "$sources/omp.f90" -o omp
for OMP_NUM_THREADS in 1 3; do
    export OMP_NUM_THREADS
    for shape in '-t 4' '-n 2 -t 2'; do
        runs "$shape" 4 openmp ./omp
        OMP_EXTERNAL=task runs "$shape" 4 openmp ./omp tasks
    done
done
# Any thread may end its rank.
for mode in '' task; do
    OMP_NUM_THREADS=3 OMP_EXTERNAL=$mode try "$eprun" -t 2 ./omp stop
    wants 9 "a thread stops $mode"
    counts 1 '^eprun: endpoint 1 of 2 .*status 9' "a thread stops $mode"
done

[ $failures = 0 ] && echo "ok"
exit $((failures > 0))
