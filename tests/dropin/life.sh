#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How programs begin and end under eprun, and what is private to a rank. EPCC, EPCXX and EPRUN are the commands.
set -u
epcc=$EPCC epcxx=$EPCXX eprun=$EPRUN
sources=$(cd "$(dirname "$0")" && pwd)/life
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
ulimit -c 0
failures=0

fail() {
    failures=$((failures + 1))
    echo "FAILED: $*"
    cat "$dir/out" "$dir/err" 2>/dev/null
}

# Its status goes to $status, its output to $dir/out and $dir/err.
try() {
    timeout 60 "$@" >"$dir/out" 2>"$dir/err" </dev/null
    status=$?
}

# wants STATUS WHAT: did the last one end so?
wants() {
    [ "$status" = "$1" ] || fail "$2: status $status, not $1"
}

# counts N TEXT WHAT: does the output have N lines that say so?
counts() {
    n=$( (cat "$dir/out" && echo && cat "$dir/err") | grep -c -- "$2")
    [ "$n" = "$1" ] || fail "$3: not $1 times \"$2\""
}

build() {
    "$@" || { echo "cannot build: $*"; exit 1; }
}

# An endpoint ends as a process does: the same output and status. But thread_local objects of a main thread that
# left by pthread_exit may live on in a process.
ends() {
    build ${CXX:-c++} -g -pthread "$sources/ends.cc" -o "$dir/plain/ends"
    build "$epcxx" -g -pthread "$sources/ends.cc" -o "$dir/ends"
    for way in return deep thread twice constructor _exit _Exit quick_exit pthread_exit status large err error argp \
        throw abort; do
        try "$dir/plain/ends" $way
        wanted=$status
        sed '/destroy thread_local/d' "$dir/out" >"$dir/wanted"
        try "$eprun" -t 1 "$dir/ends" $way
        wants "$wanted" "ends $way"
        sed '/destroy thread_local/d' "$dir/out" | diff "$dir/wanted" - || fail "ends $way: other output"
    done
}

# die WAY STATUS MESSAGE
die() {
    rm -f "$dir/kept"
    try "$eprun" -t 3 "$dir/die" "$1" "$dir/kept"
    wants "$2" "die $1"
    counts 1 "^eprun: endpoint 1 of 3 (process 0) $3" "die $1"
    counts 1 "^rank 0" "die $1" # what was written before is not lost
}

# killed WAY STATUS N MESSAGE: what is said about the whole process; also by the one that watches it, which may end later.
killed() {
    { timeout 60 "$eprun" -t 4 "$dir/die" "$1" /dev/null 2>&1 >"$dir/out" </dev/null; echo $? >"$dir/status"; } | cat >"$dir/err"
    status=$(cat "$dir/status")
    wants "$2" "killed by $1"
    counts "$3" "^eprun: $4" "killed by $1"
    counts "$3" "^eprun: " "killed by $1"
}

kills() {
    killed "kill 9" 137 1 'process 0 (endpoints 0 to 3 of 4) was killed.* by signal 9 (Killed)'
    killed "kill 15" 143 1 'process 0 (endpoints 0 to 3 of 4) was killed by signal 15 (Terminated), sent by process [0-9]* of the system$'
    counts 1 "^rank 0" "kill 15" # what was written before is not lost
    killed "raise 15" 143 1 'endpoint 1 of 4 (process 0) was killed by signal 15 (Terminated)$'
    killed "kill 10" 138 1 'process 0 (endpoints 0 to 3 of 4) was killed.* by signal'
    killed "kill 2" 130 0 ''
    killed alarm 142 1 'process 0 (endpoints 0 to 3 of 4) was killed by signal 14 (Alarm clock)$'
    killed exec 7 0 ''
    killed 0 1 1 'endpoint 1 of 4 (process 0) ended without MPI_Finalize'
    killed child 5 1 'endpoint 1 of 4 (process 0) exited with status 5' # a child's death is not the process's; none is seen that is not its
}

deaths() {
    build "$epcc" -g "$sources/die.c" -o "$dir/die" -pthread
    die segv 139 'was killed by signal 11 (Segmentation fault) in die+0x'
    die thread 139 'was killed by signal 11 (Segmentation fault) in die+0x'
    die overflow 139 'was killed by signal 11 (Segmentation fault) in die+0x'
    counts 1 "rank 1: its stack was too small" "die overflow"
    die "thread overflow" 139 'was killed by signal 11 (Segmentation fault) in die+0x'
    counts 1 "rank 1: its stack was too small" "die thread overflow"
    die wide 139 'was killed by signal 11 (Segmentation fault) in die+0x'
    counts 1 "rank 1: its stack was too small" "die wide"
    die fpe 136 'was killed by signal 8 '
    die abort 134 'was killed by signal 6 (Aborted)'
    die own 11 'exited with status 11'
    die 6 6 'exited with status 6'
    [ "$(cat "$dir/kept")" = kept ] || fail "die 6: a file that was open is not complete"
    die inside 1 'ended without MPI_Finalize'
    try "$eprun" -t 3 "$dir/die" MPI_Abort "$dir/kept"
    wants 3 "die MPI_Abort"
    counts 1 "^rank 0" "die MPI_Abort"
    counts 0 "^eprun" "die MPI_Abort" # the MPI library ends the job, not an endpoint
    kills
}

# all PROGRAM TEXT: each of four ranks says so.
all() {
    try "$eprun" -t 4 "$dir/$1" "$dir/place"
    wants 0 "$1"
    counts 4 "^$2\$" "$1"
}

private() {
    build "$epcxx" -g -pthread "$sources/private.cc" -o "$dir/private"
    build "$epcc" -g -fopenmp "$sources/threads.c" -o "$dir/threads" -pthread
    build "$epcc" -g "$sources/place.c" -o "$dir/place.app" -pthread
    mkdir "$dir/place"
    all private private
    all threads threads
    all place.app 'own place'
}

# Shared libraries of the program's own are private, too, wherever their names come from.
libraries() {
    mkdir "$dir/lib" "$dir/bin"
    build "$epcc" -shared "$sources/lib_one.c" -o "$dir/lib/libone.so"
    build "$epcxx" -shared "$sources/lib_two.cc" -o "$dir/lib/libtwo.so.2" -Wl,-soname,libtwo.so.2 \
        -L"$dir/lib" -lone -Wl,-rpath,'$ORIGIN'
    for path in '$ORIGIN/../lib' "$dir/lib"; do
        build "$epcc" "$sources/libraries.c" -o "$dir/bin/libraries" \
            -L"$dir/lib" -l:libtwo.so.2 -lone -Wl,-rpath,"$path"
        try "$eprun" -t 3 "$dir/bin/libraries"
        wants 0 "libraries by $path"
        counts 3 'own libraries: 104' "libraries by $path"
        counts 3 'two ends' "libraries by $path"
        counts 3 'one ends: 104' "libraries by $path"
    done
}

# Others are shared, and found where the program looks for them.
ordinary_library() {
    echo 'int u(void) { return 17; }' >"$dir/u.c"
    echo 'int u(void); int main(void) { return u(); }' >"$dir/main.c"
    mkdir "$dir/bin/u"
    for name in "" -Wl,-soname,libordinary.so; do
        build ${CC:-cc} -shared -fPIC "$dir/u.c" -o "$dir/bin/u/libordinary.so" $name
        build "$epcc" "$dir/main.c" -o "$dir/bin/main" -L"$dir/bin/u" -lordinary -Wl,-rpath,'$ORIGIN/u'
        try "$eprun" -t 2 "$dir/bin/main"
        wants 17 "an ordinary library $name"
    done
}

# A program is a command, too.
direct() {
    EP_THREADS=3 try "$dir/private" xyz
    wants 0 "direct"
    counts 3 '^private$' "direct"
    try "$dir/private" xyz
    counts 1 '^private$' "direct without EP_THREADS"
}

# One rank says it for all, however long the process then takes to end.
ordinary() {
    build ${CC:-cc} -shared -fPIC "$sources/slow_end.c" -o "$dir/slow_end.so" -ldl
    build ${MPICXX:-mpicxx} -g -pthread "$sources/ends.cc" -o "$dir/plain/ends" -Wl,--no-as-needed
    for slow in "" "$dir/slow_end.so"; do
        LD_PRELOAD=$slow try "$eprun" -t 8 "$dir/plain/ends"
        wants 1 "an ordinary program"
        counts 1 'was not built with epcc' "an ordinary program${slow:+, slow}"
    done
}

mkdir "$dir/plain"
private
libraries
ordinary_library
ends
direct
ordinary
deaths
[ $failures = 0 ] && echo "ok"
exit $((failures > 0))
