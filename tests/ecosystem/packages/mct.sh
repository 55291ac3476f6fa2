# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2034,SC2046,SC2086,SC2154 # variables of and for lib.sh; lists are meant to be split
# MCT, the Model Coupling Toolkit (Fortran 90, mpif.h): grids, routers and rearrangers between components of a climate model. Its own
# examples of two coupled components; they print what arrived. It comes with OASIS3-MCT.
source_package=oasis3

build() {
    cp -r "$source/lib/mct/." . && ./configure MPIFC="$FC" FC="$FC" CC="$CC" FCFLAGS="-O1 -fallow-argument-mismatch" &&
        make && make -C examples/simple REAL8=-fdefault-real-8
}

# shows TEST RANKS PROGRAM: it ends well, prints as many lines of data, and the same ones as processes.
shows() {
    local test=$1 lines=$place-$1.txt
    if ! lines_of "$2" "./examples/simple/$3" >"$lines.raw"; then result "$test" failed "does not end well"; return; fi
    sort "$lines.raw" >"$lines"
    [ "$place" != processes ] || cp "$lines" "../expected-$test.txt"
    if [ "$(grep -c data "$lines")" -lt 24 ]; then result "$test" failed "prints no data"; return; fi
    check "$test" diff "../expected-$test.txt" "$lines"
}

tests() {
    shows concurrent 4 twocon
    shows sequential 4 twoseq
    shows nonblocking 4 twoseqNB
    shows uneven 6 twosequn
}
