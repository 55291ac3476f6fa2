# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2034,SC2046,SC2086,SC2154 # variables of and for lib.sh; lists are meant to be split
# PnetCDF (C, its interfaces in Fortran 77 and 90): all it does goes through files of MPI, which ep does not have. It builds, with
# functions that are errors when they are called; its tests say which one that was.

build() {
    export EP_MISSING=run
    cp -r "$source/." . && { [ -x configure ] || autoreconf -fi; } &&
        ./configure MPICC="$CC" MPIF77="$FC" MPIF90="$FC" --disable-cxx --disable-dependency-tracking CFLAGS=-O1 \
            FFLAGS="-O1 -fallow-argument-mismatch" FCFLAGS="-O1 -fallow-argument-mismatch" && make -s -j "$jobs" && make -s -j "$jobs" -C test/common tests &&
        make -s -j "$jobs" -C test/F90 $fortran_90 && make -s -j "$jobs" -C test/fandc pnf_test pnctestf pnctest csnap &&
        make -s -C test/C pres_temp_4D_wr
}

fortran_90="f90tst_parallel f90tst_parallel2 f90tst_parallel3 f90tst_parallel4 tst_f90 test_fill"

# writes PROGRAM: a test of PnetCDF, by all ranks into one file.
writes() {
    local test said
    test=$(basename "$1") said=$PWD/$place-$test.txt
    mkdir -p "files-$place"
    if ranks 4 "$1" "$PWD/files-$place/$test.nc" >"$said" 2>&1; then
        result "$test" ok
    elif grep -qiE 'MPI_ERR_UNSUPPORTED_OPERATION|ep has no MPI_File' "$said"; then
        result "$test" lacks
    else
        result "$test" failed "see $said"
    fi
    cat "$said"
}

tests() {
    local program
    for program in $fortran_90; do writes "test/F90/$program"; done
    for program in pnf_test pnctestf pnctest csnap; do writes "test/fandc/$program"; done
    writes test/C/pres_temp_4D_wr
}
