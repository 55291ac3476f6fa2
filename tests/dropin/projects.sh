#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# projects.sh [WORKDIR]: projects of several files build with epcc, epc++ and epfort as they do with mpicc, from the same
# files, and print the same. EPCC, EPCXX, EPRUN, MPICC, MPICXX and MPIRUN in the environment name the commands; those in
# Fortran are left out without EP_FORTRAN_PROJECTS, EPFORT and MPIFORT.
set -u
EPCC=${EPCC:-epcc} EPCXX=${EPCXX:-epc++} EPRUN=${EPRUN:-eprun}
MPICC=${MPICC:-mpicc} MPICXX=${MPICXX:-mpicxx} MPIRUN=${MPIRUN:-mpirun}
here=$(cd "$(dirname "$0")/projects" && pwd)
if [ $# -gt 0 ]; then
    mkdir -p "$1"
    work=$(cd "$1" && pwd)
    rm -rf "${work:?}"/*
else
    work=$(mktemp -d) || exit 1
    trap 'rm -rf "$work"' EXIT
fi
failed=0

fail() {
    echo "not ok: $*"
    failed=1
}

# in_both NAME COMMAND...: the command in a folder of its own with MPI's compilers and with ep's.
in_both() {
    name=$1
    shift
    for kind in mpi ep; do
        cc=$MPICC cxx=$MPICXX fc=${MPIFORT:-}
        [ $kind = mpi ] || cc=$EPCC cxx=$EPCXX fc=${EPFORT:-}
        mkdir -p "$work/$name-$kind"
        (cd "$work/$name-$kind" && export CC="$cc" CXX="$cxx" && { [ -z "$fc" ] || export FC="$fc" F77="$fc"; } && "$@") >"$work/$name-$kind.log" 2>&1 || {
            fail "$name with $kind"
            tail -20 "$work/$name-$kind.log"
            return 1
        }
    done
    echo "ok: $name builds"
}

# same NAME PROGRAM [ARGUMENT...]: what the program prints does not depend on what its ranks are.
same() {
    name=$1 program=$2
    shift 2
    timeout 60 $MPIRUN -n 4 "$work/$name-mpi/$program" "$@" >"$work/$name.mpi" 2>&1 || fail "$name: $program with MPI"
    for layout in 1x4 2x2 4x1; do
        timeout 60 $EPRUN -n ${layout%x*} -t ${layout#*x} "$work/$name-ep/$program" "$@" >"$work/$name.ep" 2>&1 ||
            fail "$name: $program $layout: status $?"
        if cmp -s "$work/$name.mpi" "$work/$name.ep"; then
            echo "ok: $name: $program $layout"
        else
            fail "$name: $program $layout"
            diff "$work/$name.mpi" "$work/$name.ep"
        fi
    done
}

cmake_project() {
    cmake -S "$here/cmake" -B . -DCMAKE_INSTALL_PREFIX="$PWD/installed" "$@" &&
        cmake --build . -v && cmake --install .
}

make_project() {
    cp -r "$here/make/." . && make CC="$CC" CXX="$CXX" && touch src/count.h &&
        make -n CC="$CC" CXX="$CXX" | grep -q 'src/main.c'
}

# Where FindMPI alone knows epcc, the compiler would make something that is no image: it is not configured, and the log
# says what to do. With both it is as with the compiler alone.
wrong_cmake() {
    cat >"$work/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(asks LANGUAGES C CXX)
find_package(MPI REQUIRED)
END
    both="-DMPI_C_COMPILER=$EPCC -DMPI_CXX_COMPILER=$EPCXX"
    if CC=${CC:-cc} CXX=${CXX:-c++} cmake -S "$work" -B "$work/wrong" $both >"$work/wrong.log" 2>&1; then
        fail "FindMPI takes epcc for another compiler"
    fi
    for language in C CXX; do
        grep -q "missing: MPI_${language}_WORKS" "$work/wrong.log" || fail "FindMPI says nothing of $language"
    done
    grep -rqs 'set_CMAKE_C_COMPILER_to_epcc_and_CMAKE_CXX_COMPILER_to_epc++' "$work/wrong/CMakeFiles" ||
        fail "CMake's log has no advice"
    CC=$EPCC CXX=$EPCXX cmake -S "$work" -B "$work/right" $both >"$work/right.log" 2>&1 || {
        fail "FindMPI with epcc as compiler and as wrapper"
        tail -20 "$work/right.log"
    }
}

if command -v cmake >/dev/null; then
    for how in "plain" "found -DFIND_MPI=ON" "lto -DLTO=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo"; do
        set -- $how
        name=cmake-$1
        shift
        in_both $name cmake_project "$@" || continue
        same $name heat -s 20
        same $name heat++
    done
    same cmake-plain installed/bin/heat
    wrong_cmake
fi
if in_both make make_project; then
    same make build/primes 3000
    same make build/primes++
    same make build/together
fi
in_both configure "$here/conf/configure"

# ---- In Fortran, where EP_FORTRAN_PROJECTS asks for it: minutes more
[ "${EP_FORTRAN_PROJECTS:-}" ] && [ "${EPFORT:-}" ] && [ "${MPIFORT:-}" ] || exit $failed

cmake_fortran() {
    cmake -S "$here/fortran" -B . -DCMAKE_INSTALL_PREFIX="$PWD/installed" "$@" && cmake --build . -v && cmake --install .
}

make_fortran() {
    cp -r "$here/fortran/." . && make CC="$CC" FC="$FC" && touch mean.c && make -n CC="$CC" FC="$FC" | grep -q 'mean.c'
}

# Autoconf's own questions.
configure_fortran() {
    auxiliary=$(automake --print-libdir) && cp "$here/fortran/configure.ac" "$auxiliary/config.guess" "$auxiliary/config.sub" . &&
        autoconf && ./configure
}

# As wrong_cmake above.
wrong_cmake_fortran() {
    mkdir -p "$work/asks"
    cat >"$work/asks/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(asks LANGUAGES Fortran)
find_package(MPI REQUIRED COMPONENTS Fortran)
END
    if FC=gfortran cmake -S "$work/asks" -B "$work/asks-wrong" -DMPI_Fortran_COMPILER="$EPFORT" >"$work/wrong.log" 2>&1; then
        fail "FindMPI takes epfort for another compiler"
    fi
    grep -rqs 'set_CMAKE_Fortran_COMPILER_to_epfort' "$work/asks-wrong/CMakeFiles" || fail "CMake's log has no advice for Fortran"
    FC=$EPFORT cmake -S "$work/asks" -B "$work/asks-right" -DMPI_Fortran_COMPILER="$EPFORT" >"$work/right.log" 2>&1 || {
        fail "FindMPI with epfort as compiler and as wrapper"
        tail -20 "$work/right.log"
    }
}

if command -v cmake >/dev/null; then
    for how in "plain" "found -DFIND_MPI=ON -GNinja" "lto -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON"; do
        set -- $how
        name=fortran-$1
        shift
        in_both $name cmake_fortran "$@" || continue
        same $name wave
    done
    same fortran-plain installed/bin/wave
    wrong_cmake_fortran
fi
if in_both fortran-make make_fortran; then
    same fortran-make build/wave
    same fortran-make build/together
fi
if command -v autoconf >/dev/null && command -v automake >/dev/null; then
    in_both fortran-configure configure_fortran
fi
exit $failed
