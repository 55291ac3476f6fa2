# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2034,SC2046,SC2086,SC2154 # variables of and for lib.sh; lists are meant to be split
# YAXT (C and Fortran): exchanges of what climate models distribute. `make check`. Debian 12 has no source package of it: ECOSYSTEM_SOURCES.

build() {
    "$source/configure" --disable-shared --disable-dependency-tracking CFLAGS=-O1 FCFLAGS="-O1 -fallow-argument-mismatch" \
        MPI_LAUNCH="$(command -v $MPIEXEC)" &&
        make -j "$jobs" && make -j "$jobs" check TESTS=
}

tests() {
    make -k check MPI_LAUNCH="$(command -v $MPIEXEC)"
    results_of_make
}
