# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2034,SC2046,SC2086,SC2154 # variables of and for lib.sh; lists are meant to be split
# netCDF-Fortran, over the machine's netCDF in C, of which each rank has its own copy. Its tests of files that one rank writes, by the
# FORTRAN 77 and Fortran 90 interfaces: `make check`, in which each program is started for itself and has one rank. Its parallel ones need
# files of MPI and are left out here. Shared libraries, as libtool makes them.
source_package=netcdf-fortran
layouts="processes 1x4" # one rank, in each

build() {
    "$source/configure" --prefix="$PWD/install" --disable-static --disable-parallel-tests --disable-dependency-tracking CFLAGS=-O1 FCFLAGS=-O1 FFLAGS=-O1 &&
        make -j "$jobs" && make install && make -j "$jobs" check TESTS=
}

tests() {
    unset EP_THREADS_PER_PROCESS
    # Not nf_test and nf03_test: each asks for all of all variables, for minutes.
    make -k -C nf_test check TESTS="tst_int64 tst_f77_v2 ftest f03test tst03_f77_v2"
    local folder
    for folder in nf03_test nf_test4 nf03_test4; do make -k -C $folder check; done
    results_of_make
}
