#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# projects.sh [WORKDIR]: projects of several files build with epcc and epc++ as they do with mpicc, from the same files, and print
# the same.
set -u
. "${0%/*}/both.sh"

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

if command -v cmake >/dev/null && in_both cmake cmake_project; then
    same cmake heat -s 20
    same cmake heat++
    same cmake installed/bin/heat
    model=cmake
    for how in "found -DFIND_MPI=ON" "lto -DLTO=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo"; do
        set -- $how
        name=cmake-$1
        shift
        builds ep $name cmake_project "$@" || continue
        same $name heat -s 20
        same $name heat++
    done
    wrong_cmake
fi
model=
if in_both make make_project; then
    same make build/primes 3000
    same make build/primes++
    same make build/together
fi
in_both configure "$here/conf/configure"
exit $failed
