#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# stacks.sh PROGRAM (stacks.c): how large the stacks of tasks are, and what is said where one is too small.
program=$1
failed=0
small='the stack of a task was too small'
export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive OMP_EXTERNAL=task
unset OMP_STACKSIZE GOMP_STACKSIZE CRT_STACK
ulimit -c 0

# check STATUS TEXT ENVIRONMENT ARGUMENTS...: it ends so, and says this on stderr, or nothing if it is empty.
check() {
    status=$1 text=$2 setting=$3
    shift 3
    err=$(env "$setting" "$program" "$@" 2>&1 >/dev/null)
    got=$?
    case $err in
        *"$text"*) [ "$got" = "$status" ] && { [ -n "$text" ] || [ -z "$err" ]; } && return ;;
    esac
    echo "$setting $*: wanted $status and '$text', got $got and '$err'"
    failed=1
}

check 0 "" A=1 use 900000
check 139 "$small" A=1 use 1100000
check 139 "$small" CRT_STACK=256 use 300000
# every spelling that libgomp takes
for size in 4M 4m "  4 M  " 4096 4096k 4194304B 4194304b; do
    check 0 "" "OMP_STACKSIZE=$size" use 4100000
    check 139 "$small" "OMP_STACKSIZE=$size" use 4300000
done
check 0 "" OMP_STACKSIZE=1G use 900000000
check 0 "" GOMP_STACKSIZE=3M use 3000000
check 139 "$small" OMP_STACKSIZE=128K use 250000
export CRT_STACK=256
check 139 "$small" OMP_STACKSIZE=4M use 300000
unset CRT_STACK
# deeper than the 8 MiB of libgomp's threads
check 0 "" CRT_STACK=64 final 100000
check 0 "" OMP_NUM_THREADS=1 final 100000
# what is no overflow is nobody's business
check 139 "" A=1 wild
check 9 "" A=1 handler
exit $failed
