# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2034,SC2046,SC2086,SC2154 # variables of and for lib.sh; lists are meant to be split
# ScaLAPACK with BLACS and PBLAS (C and FORTRAN 77, mpif.h), over the machine's LAPACK and BLAS. Its testers of BLACS, PBLAS and of some
# factorizations, with the tables that they come with.

build() {
    cmake "$source" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF -DSCALAPACK_BUILD_TESTS=ON \
        -DCMAKE_C_FLAGS="-O1 -Wno-implicit-function-declaration" -DCMAKE_Fortran_FLAGS="-O1 -fallow-argument-mismatch" &&
        make -j "$jobs" scalapack && make -k -j "$jobs" $(printf '%s ' $testers | sed 's|[^ ]*/||g')
}

testers="BLACS/TESTING/xCbtest BLACS/TESTING/xFbtest PBLAS/TESTING/xdpblas1tst PBLAS/TESTING/xdpblas2tst PBLAS/TESTING/xdpblas3tst
    TESTING/xdlu TESTING/xdllt TESTING/xdqr TESTING/xdls TESTING/xzlu TESTING/xdsep"

# tester FOLDER PROGRAM: its table says PASSED and nothing else.
tester() {
    local said=$PWD/$place-$2.txt
    if ! (cd "$1" && patience=300 ranks 4 "./$2") >"$said" 2>&1; then result "$2" failed "does not end well, see $said"; return; fi
    if grep -q PASSED "$said" && ! grep -qE 'FAILED|[1-9][0-9]* tests completed and failed' "$said"; then
        result "$2" ok
    else
        result "$2" failed "see $said"
    fi
}

tests() {
    local program
    for program in $testers; do tester "$(dirname "$program")" "$(basename "$program")"; done
}
