#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# order.sh HEADERS LIBRARIES CC...: programs that are linked in the right and in the wrong order, and what they are told.
set -u
headers=$1 libs=$2
shift 2
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
export OMP_NUM_THREADS=1 OMP_EXTERNAL=task LD_LIBRARY_PATH="$libs"

# check NAME LEVEL TEXT COMMAND...: the command prints this level, and says this text, or nothing if it is empty.
check() {
    name=$1 level=$2 text=$3
    shift 3
    got=$("$@" 2>"$tmp/err")
    if [ "$got" = "$level" ] && { [ -n "$text" ] && grep -q -- "$text" "$tmp/err" || [ -z "$text$(cat "$tmp/err")" ]; }; then
        echo "ok      $name"
    else
        echo "not ok  $name: wanted '$level' and '$text', got '$got' and:"
        cat "$tmp/err"
        failed=1
    fi
}

cat >"$tmp/level.c" <<'END'
#include <crt.h>
#include <stdio.h>
int main(void)
{
#pragma omp parallel
#pragma omp single
#pragma omp task
    printf("%d\n", omp_get_external());
    return 0;
}
END
build() {
    out=$1
    shift
    "$@" "-I$headers" "-L$libs" -o "$tmp/$out" || exit 1
}
build right "$@" -fopenmp "$tmp/level.c" -lcrt
build wrong "$@" -fopenmp "$tmp/level.c" -Wl,--no-as-needed -lgomp -lcrt
build static "$@" -fopenmp "$tmp/level.c" -l:libcrt.a
build plain "$@" -Wno-unknown-pragmas "$tmp/level.c" -lcrt

check "crt before gomp" 2 "" "$tmp/right"
check "gomp before crt" 1 "link with -lep" "$tmp/wrong"
check "gomp before crt, preloaded" 2 "" env LD_PRELOAD="$libs/libcrt.so" "$tmp/wrong"
check "static" 2 "" "$tmp/static"
check "no OpenMP" 2 "" "$tmp/plain"
check "cancellation" 2 "" env OMP_CANCELLATION=true "$tmp/right"
check "cancellation, as libgomp reads it" 2 "" env "OMP_CANCELLATION= True" "$tmp/right"
check "capitals" 2 "" env OMP_EXTERNAL=TASK "$tmp/right"
check "blanks" 2 "" env "OMP_EXTERNAL= Task " "$tmp/right"
check "unknown level" 1 "OMP_EXTERNAL=tusk is not one of" env OMP_EXTERNAL=tusk "$tmp/right"
check "unknown level, no OpenMP" 1 "OMP_EXTERNAL=tasks is not one of" env OMP_EXTERNAL=tasks "$tmp/plain"
check "no level" 1 "OMP_EXTERNAL= is not one of" env OMP_EXTERNAL= "$tmp/right"
exit $failed
