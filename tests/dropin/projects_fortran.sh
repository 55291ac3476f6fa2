#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# projects_fortran.sh [WORKDIR]: projects in Fortran and C build with epfort and epcc as they do with mpifort and mpicc, and print the
# same: by CMake, make and configure.
set -u
. "${0%/*}/both.sh"

cmake_project() {
    cmake -S "$here/fortran" -B . -DCMAKE_INSTALL_PREFIX="$PWD/installed" "$@" && cmake --build . -v && cmake --install .
}

make_project() {
    cp -r "$here/fortran/." . && make CC="$CC" FC="$FC" && touch mean.c && make -n CC="$CC" FC="$FC" | grep -q 'mean.c'
}

# Autoconf's own questions.
configure_project() {
    auxiliary=$(automake --print-libdir) && cp "$here/fortran/configure.ac" "$auxiliary/config.guess" "$auxiliary/config.sub" . &&
        autoconf && ./configure
}

# FindMPI with epfort as the wrapper of another compiler, as in projects.sh.
wrong_cmake() {
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

if command -v cmake >/dev/null && builds mpi cmake cmake_project -DCHECKS=OFF && builds ep cmake cmake_project; then
    same cmake wave
    same cmake installed/bin/wave
    model=cmake
    for how in "found -DFIND_MPI=ON -GNinja" "lto -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON -DCHECKS=OFF"; do
        set -- $how
        name=cmake-$1
        shift
        builds ep $name cmake_project "$@" && same $name wave
    done
    wrong_cmake
fi
model=
if in_both make make_project; then
    same make build/wave
    same make build/together
fi
if command -v autoconf >/dev/null && command -v automake >/dev/null; then
    builds ep configure configure_project
fi
exit $failed
