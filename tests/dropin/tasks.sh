#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs with OpenMP tasks that call MPI: with OMP_EXTERNAL=task a call blocks its task alone. EPCC, EPCXX and EPRUN
# are the commands.
set -u
epcc=$EPCC epcxx=$EPCXX eprun=$EPRUN
sources=$(cd "$(dirname "$0")" && pwd)/tasks
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
ulimit -c 0
failures=0
export OMP_EXTERNAL=task OMP_NUM_THREADS=1
unset EP_THREADS EP_MPIRUN

# Clang's programs call another OpenMP library.
if "$epcc" -dM -E -x c /dev/null | grep -q __clang__; then
    exit 77
fi

fail() {
    failures=$((failures + 1))
    echo "FAILED: $*"
    head -n 20 "$dir/out" "$dir/err"
}

# try SECONDS COMMAND: its status goes to $status, its output to $dir/out and $dir/err.
try() {
    timeout "$@" >"$dir/out" 2>"$dir/err" </dev/null
    status=$?
}

# wants STATUS LINES TEXT WHAT: did the last one end so, and say this so often?
wants() {
    n=$(cat "$dir/out" "$dir/err" | grep -c -- "$3")
    [ "$status" = "$1" ] && [ "$n" = "$2" ] || fail "$4: status $status, $n times \"$3\""
}

for program in tasks ends level; do
    "$epcc" -g -fopenmp "$sources/$program.c" -o "$dir/$program" || exit 1
done
# As its makefiles have it; and its configure scripts ask without the header.
"$epcc" -g -fopenmp "$sources/tampi.c" -o "$dir/tampi" -ltampi-c || exit 1
echo 'char TAMPI_Iwait(), TAMPI_Isend(); int main(void) { return TAMPI_Iwait() + TAMPI_Isend(); }' >"$dir/conftest.c"
"$epcc" "$dir/conftest.c" -o "$dir/conftest" -ltampi || fail "TAMPI's names without the header"
"$epcxx" -g -fopenmp "$sources/exceptions.cc" -o "$dir/exceptions" || exit 1

for OMP_NUM_THREADS in 1 2; do
    for ranks in 1 3; do
        try 60 "$eprun" -t $ranks "$dir/tasks"
        wants 0 $ranks '^tasks$' "$ranks ranks of $OMP_NUM_THREADS threads"
    done
    try 60 "$eprun" -n 2 -t 2 "$dir/tasks"
    wants 0 4 '^tasks$' "2 processes of 2 ranks of $OMP_NUM_THREADS threads"
    try 60 "$eprun" -n 2 -t 2 "$dir/tampi"
    wants 0 4 '^tampi$' "a program for TAMPI with $OMP_NUM_THREADS threads"
    try 60 "$eprun" -t 2 "$dir/exceptions"
    wants 0 2 '^exceptions$' "exceptions with $OMP_NUM_THREADS threads"
done
export CRT_CHAOS=3
try 60 "$eprun" -t 2 "$dir/tasks"
wants 0 2 '^tasks$' "random suspension"
unset CRT_CHAOS

OMP_NUM_THREADS=1
try 60 "$eprun" -n 2 -t 2 "$dir/tampi" unaware
wants 0 4 '^tampi$' "a thread whose blocking calls block it"

# Each of these needs what it tests.
for OMP_EXTERNAL in thread ""; do
    try 3 "$eprun" "$dir/tasks" sibling
    wants 124 0 '^tasks$' "sibling, OMP_EXTERNAL='$OMP_EXTERNAL'"
done

OMP_EXTERNAL=task
try 60 "$eprun" -t 2 "$dir/level"
wants 0 2 '^task 1$' "level"
OMP_EXTERNAL=thread
try 60 "$eprun" -t 2 "$dir/level"
wants 0 2 '^thread 1$' "level without task mode"

OMP_EXTERNAL=task
for OMP_NUM_THREADS in 1 2; do
    try 60 "$eprun" "$dir/ends" 7
    wants 7 1 'exited with status 7' "exit in a task"
    wants 7 1 '^at exit$' "exit in a task"
    try 60 "$eprun" -t 2 "$dir/ends" overflow
    wants 139 1 'the stack of a task was too small: CRT_STACK' "a task's stack"
done

# What gdb shows of the task that is suspended while the other one ends the program.
OMP_NUM_THREADS=1
if [ "$(uname -m)" = x86_64 ] && command -v gdb >/dev/null; then
    try 60 gdb -q -batch -x "$sources/../../../tools/tasks.gdb" -ex 'set breakpoint pending on' -ex 'break at_exit' \
        -ex run -ex ep-tasks -ex kill --args "$eprun" "$dir/ends" 7
    if grep -q 'hit Breakpoint' "$dir/out"; then # else gdb may not run programs here
        wants "$status" 1 ' receive_[a-z]* (' "ep-tasks" # where ep_plain_recv goes on
    fi
fi
[ $failures = 0 ] && echo "ok"
exit $((failures > 0))
