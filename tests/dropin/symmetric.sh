#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The variables of programs that use OpenSHMEM: other processes can map them; and what is done when such a program ends.
# EPCC, EPCXX and EPRUN are the commands.
set -u
epcc=$EPCC epcxx=$EPCXX eprun=$EPRUN cc=${CC:-cc}
sources=$(cd "$(dirname "$0")" && pwd)/symmetric
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
ulimit -c 0
failures=0

fail() {
    failures=$((failures + 1))
    echo "FAILED: $*"
    head -30 out err
}

skip() {
    echo "not tried: $*" >&2
}

build() {
    "$@" || {
        echo "cannot build: $*"
        exit 1
    }
}

# try COMMAND...: its status goes to $status, its output to out and err.
try() {
    timeout 100 "$@" >out 2>err </dev/null
    status=$?
}

# right WHAT COMMAND...: all four ranks find everything right, and end as programs do.
right() {
    what=$1
    shift
    try "$@"
    [ "$status" = 0 ] && [ "$(grep -c '^all right$' out)" = 4 ] && [ "$(grep -c '^destroyed 3$' out)" = 4 ] ||
        fail "$what: status $status"
}

# That the program needs the library is what counts.
needs="-Wl,--no-as-needed -lep_shmem -Wl,--as-needed"
build "$epcxx" -g "$sources/symmetric.cc" -o symmetric $needs

right "two processes" "$eprun" -n 2 -t 2 ./symmetric shared
right "in files" "$eprun" -n 2 -t 2 --image-dir "$dir" ./symmetric shared
right "for a debugger" "$eprun" -n 2 -t 2 --debug ./symmetric shared
right "one process" "$eprun" -t 4 ./symmetric private
right "without shared memory" env EP_SHARED_MEMORY=0 "$eprun" -n 2 -t 2 ./symmetric private

# What does not need the library is as ever.
build "$epcxx" -g "$sources/symmetric.cc" -o plain
right "without OpenSHMEM" "$eprun" -n 2 -t 2 ./plain private
if [ -z "${SANITIZED:-}" ]; then
    right "text without OpenSHMEM" "$eprun" -n 2 -t 2 ./plain private text
    right "text" "$eprun" -n 2 -t 2 ./symmetric shared text
fi

# A library of the program's own uses it, the program does not; that library's variables are its own.
echo 'int shmem_my_pe(void); int of_library(void) { return shmem_my_pe(); }' >library.c
build "$epcc" -shared library.c -o libofprogram.so $needs
build "$epcxx" -g "$sources/symmetric.cc" -o by_library -Wl,--no-as-needed libofprogram.so -Wl,-rpath,"$dir"
right "a library uses it" "$eprun" -n 2 -t 2 ./by_library shared

# Other places of the variables.
# linked WHAT OPTIONS...
linked() {
    what=$1
    shift
    if "$epcxx" -g "$sources/symmetric.cc" -o "$what" "$@" $needs 2>log; then
        right "linked with $*" "$eprun" -n 2 -t 2 "./$what" shared
    else
        skip "linked with $*: $(head -n 1 log)"
    fi
}
linked lld -fuse-ld=lld
linked large_pages -Wl,-z,max-page-size=65536
linked apart -DAPART -Wl,--section-start=.apart=0x20000000
[ "$(uname -m)" != x86_64 ] || linked medium -mcmodel=medium -mlarge-data-threshold=1000

# ---- the end

build "$epcc" "$sources/ending.c" -o ending -pthread $needs
build $cc -shared -fPIC "$sources/ending_seen.c" -o ending_seen.so
# ends WAY OUTPUT
ends() {
    LD_PRELOAD="$dir/ending_seen.so" try "$eprun" -t 1 ./ending "$1"
    [ "$(tr '\n' ' ' <out)" = "$2" ] || fail "the end by $1"
}
for way in return exit pthread_exit thread; do
    ends $way 'at exit destructor rank exits '
done
ends child 'at exit destructor at exit destructor rank exits ' # the child's own functions first
ends _exit ''
ends status 'at exit destructor '

[ $failures = 0 ] && echo "ok"
exit $((failures > 0))
