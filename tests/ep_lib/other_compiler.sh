#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# other_compiler.sh COMPILER SOURCE_ROOT BUILD_ROOT MPIRUN ARGUMENT...: build ep_lib and some of its tests with a compiler that the
# build did not use, in C++11 and without warnings, and run them.
set -u
compiler=$1 source=$2 build=$3
shift 3
command -v "$compiler" >/dev/null || { echo "no $compiler"; exit 77; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0

PKG_CONFIG_PATH=$build/meson-uninstalled
export PKG_CONFIG_PATH
# MPI's headers are not ours to warn about.
flags=$(pkg-config --cflags ep | sed -E "s#-I([^ ]*)#-isystem \1#g; s#-isystem ($source[^ ]*)#-I\1#g") || exit 1
libs=$(pkg-config --libs ep) || exit 1

# compile FILE...: to objects, two at a time.
compile() {
    printf '%s\n' "$@" | (cd "$tmp" && xargs -P 2 -I '{}' "$compiler" -std=c++11 -Wall -Wextra -Wpedantic -Wshadow -Werror -pthread \
        -I"$source/include/ep" -I"$source/src" $flags -c '{}')
}

programs="xios messages mixed"
mkdir "$tmp/lib"
compile "$source"/src/ep_lib/*.cpp && ar rcs "$tmp/lib/all.a" "$tmp"/*.o && rm "$tmp"/*.o || exit 1
compile "$source/tests/ep_lib/check.cpp" $(printf "$source/tests/ep_lib/%s.cpp " $programs) || exit 1
for program in $programs; do
    "$compiler" -pthread "$tmp/$program.o" "$tmp/check.o" "$tmp/lib/all.a" $libs -Wl,-rpath,"$build/src" -o "$tmp/$program" || exit 1
    for shape in 1x4 2x2 4x1 2x8; do
        if EP_TEST_T=${shape#*x} "$@" "${shape%x*}" "$tmp/$program"; then
            echo "ok      $program $shape"
        else
            echo "not ok  $program $shape: status $?"
            failed=1
        fi
    done
done
exit $failed
