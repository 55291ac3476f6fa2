#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Shared libraries of which each rank has its own copy: the program's own in all shapes of need, those of others that
# keep something for a process, plug-ins. EPCC, EPCXX and EPRUN are the commands.
set -u
epcc=$EPCC epcxx=$EPCXX eprun=$EPRUN cc=${CC:-cc}
sources=$(cd "$(dirname "$0")" && pwd)/libraries
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

# try COMMAND...: its status goes to $status, its output to out and err.
try() {
    timeout 60 "$@" >out 2>err </dev/null
    status=$?
}

# wants STATUS WHAT: did the last one end so?
wants() {
    [ "$status" = "$1" ] || fail "$2: status $status, not $1"
}

# counts N TEXT WHAT: does the output have N lines that say so?
counts() {
    n=$( (cat out && echo && cat err) | grep -c -- "$2")
    [ "$n" = "$1" ] || fail "$3: not $1 times \"$2\""
}

build() {
    "$@" || {
        echo "cannot build: $*"
        exit 1
    }
}

# Each of N libraries needs the next, the last one the first: counting down goes round and round.
circle() {
    mkdir "circle$1"
    for turn in 1 2; do # a library that is needed must be there
        for i in $(seq "$1"); do
            next=$((i % $1 + 1))
            lib=
            [ "$turn" = 1 ] || lib=-lpart$next
            build "$epcc" -shared "-DSELF=turn$i" "-DNEXT=turn$next" "$sources/circle.c" \
                -o "circle$1/libpart$i.so" "-Lcircle$1" $lib -Wl,-rpath,"$dir/circle$1"
        done
    done
    build "$epcc" "$sources/rounds.c" -o "circle$1/rounds" "-Lcircle$1" -lpart1 -Wl,-rpath,"$dir/circle$1"
    try "$eprun" -t 3 "circle$1/rounds" 20
    wants 0 "$1 libraries that need each other"
    counts 3 "^20 steps, $2 here\$" "$1 libraries that need each other"
}

# Each of 200 needs the next; the last one is epcc's, so all others are to be copied, too.
chain() {
    mkdir chain
    build "$epcc" -shared -DSELF=turn1 -DNEXT=turn1 "$sources/circle.c" -o chain/libpart1.so
    build $cc -fPIC -c "$sources/link.c" -o chain/link.o
    for i in $(seq 2 200); do
        build ld -shared chain/link.o -o "chain/libpart$i.so" -soname "libpart$i.so" -Lchain "-lpart$((i - 1))" \
            -rpath "$dir/chain"
    done
    build "$epcc" "$sources/rounds.c" -o chain/rounds -Lchain -lpart200 -lpart1 -Wl,-rpath,"$dir/chain"
    try "$eprun" --stack 128k -t 2 chain/rounds 5
    wants 0 "a chain of libraries"
    counts 2 '^5 steps, 6 here$' "a chain of libraries"
}

# Plug-ins of a plain compiler, with libcounter of named().
plugins() {
    mkdir plugins
    build $cc -shared -fPIC -DONE "$sources/plugin.c" -o plugins/one.so
    build $cc -shared -fPIC -DTWO "$sources/plugin.c" -o plugins/two.so
    build $cc -shared -fPIC -DUSER "$sources/plugin.c" -o plugins/user.so
    build $cc -shared -fPIC -DNEEDS "$sources/plugin.c" -o plugins/needs.so named/libcounter.so.1
    build "$epcc" -rdynamic -O1 "$sources/host.c" -o host named/libcounter.so.1 -ldl
    for layout in "-t 4" "-n 2 -t 2"; do
        try "$eprun" $layout --private libcounter ./host "$dir/plugins"
        wants 0 "plug-ins $layout"
        counts 4 '^all plugged in$' "plug-ins $layout"
        counts 4 '^plug-in one ends after 2$' "plug-ins $layout"
    done
}

# others NAME TEXT LIBRARY...: it works with copies; without, the ranks get at each other.
others() {
    name=$1 text=$2
    shift 2
    if ! $cc -E $(sed -n 's/^#include <\([fgn][^>]*\.h\)>/-include \1/p' "$sources/$name.c") -x c /dev/null \
        >/dev/null 2>&1; then
        echo "no headers for $name"
        return
    fi
    build "$epcc" -O1 -Wall "$sources/$name.c" -o "$name" "$@"
    for layout in "-t 4" "-n 2 -t 2"; do
        try "$eprun" $layout "./$name" "$dir"
        wants 0 "$name $layout"
        counts 4 "^$text\$" "$name $layout"
    done
    try "$eprun" --private=none -t 4 "./$name" "$dir"
    [ "$status" != 0 ] || [ "$(grep -c "^$text\$" out)" != 4 ] || fail "$name is as good without copies"
}

# A library with state that eprun does not know: however it is named, and found by a link.
named() {
    mkdir named
    build $cc -shared -fPIC "$sources/counter.c" -o named/libcounter.so.1.2 -Wl,-soname,libcounter.so.1
    ln -s libcounter.so.1.2 named/libcounter.so.1
    build "$epcc" "$sources/counts.c" -o named/counts named/libcounter.so.1
    export LD_LIBRARY_PATH="$dir/named:${LD_LIBRARY_PATH:-}"
    try "$eprun" -t 3 named/counts
    counts 3 '^one for all$' "a library that nobody named"
    for name in libcounter.so.1 libcounter libcounter.so.1.2 'libc[o]unt*' named/libcounter.so.1 \
        none,liba,libcounter; do
        try "$eprun" -t 3 --private "$name" named/counts
        wants 0 "--private $name"
        counts 3 '^own$' "--private $name"
    done
    EP_PRIVATE=libcounter try "$eprun" -t 3 named/counts
    counts 3 '^own$' "EP_PRIVATE"
    EP_PRIVATE=libcounter try "$eprun" -t 3 --private none named/counts
    counts 3 '^one for all$' "EP_PRIVATE and --private"
    try "$eprun" -t 3 --private 'lib*' named/counts
    wants 0 "--private for all"
    counts 3 '^own$' "--private for all"
}

# What the dynamic linker does for one library of a name is done for each copy.
special() {
    echo 'SPECIAL_1 { global: counter_*; _ZN7Numbers*; local: *; };' >special.map
    build ${CXX:-c++} -O1 -shared -fPIC "$sources/special.cc" -o named/libspecial.so -Wl,-soname,libspecial.so \
        -Wl,--version-script=special.map
    readelf -sW named/libspecial.so | grep -q UNIQUE || echo "no unique symbols here"
    build "$epcc" "$sources/counts.c" -o named/special named/libspecial.so
    for where in "" "--image-dir $dir"; do
        try "$eprun" $where -t 3 --private libspecial named/special
        wants 0 "a special library"
        counts 3 '^own$' "a special library"
        counts 3 '^ends after 1$' "a special library"
    done
}

# A crash in it, or in what it calls, says what may help.
advised() {
    hint='libcounter.so.1 is one for all endpoints .* --private=libcounter.so.1 gives each its own'
    for how in segv abort; do
        try "$eprun" -t 3 named/counts $how
        counts 1 "$hint" "advice: $how"
        try "$eprun" -t 3 --private libcounter named/counts $how
        counts 1 'was killed by signal' "no advice: $how"
        counts 0 "$hint" "no advice: $how"
        try "$eprun" -t 1 named/counts $how
        counts 0 "$hint" "no advice for one rank: $how"
    done
}

circle 2 11
circle 5 5
chain
named
special
advised
plugins
others fftw transformed -lfftw3 -lm
others netcdf 'written and read' -lnetcdf
others gsl 'own handler' -lgsl -lgslcblas -lm
[ $failures = 0 ] && echo "ok"
exit $((failures > 0))
