#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh BUILD_ROOT HEADERS CC...: install into a temporary folder, then do what users do with it.
set -u
build=$1 headers=$2
shift 2
cc=$*
cxx=${CXX:-c++}
here=$(cd "$(dirname "$0")" && pwd)
for tool in pkg-config cmake ninja "$cxx"; do
    command -v "$tool" >/dev/null || { echo "no $tool"; exit 77; }
done

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0

# check NAME WANTED COMMAND...: run the command and compare what it prints.
check() {
    name=$1 wanted=$2
    shift 2
    got=$("$@" 2>"$tmp/err")
    rc=$?
    if [ $rc = 0 ] && [ "$got" = "$wanted" ]; then
        echo "ok      $name"
    else
        echo "not ok  $name: status $rc, wanted '$wanted', got '$got'"
        cat "$tmp/err"
        failed=1
    fi
}

# compile NAME COMPILER SOURCE PACKAGE [--static]: build with pkg-config's flags alone.
compile() {
    name=$1 compiler=$2 source=$3 package=$4 static=${5:-}
    flags=$(pkg-config $static --cflags --libs "$package") || return
    # With both libraries installed the linker prefers the shared one.
    [ -z "$static" ] || flags=$(echo "$flags" | sed -E 's/-l(ep_lib|ep_f08|ep|crt)\b/-l:lib\1.a/g')
    $compiler -Wall -Werror -o "$tmp/$name" $source $flags
}

# cmake_build LANGUAGE LANGUAGES: build with the CMake package alone, in a project of these languages.
cmake_build() {
    { cmake -G Ninja -S "$here" -B "$tmp/cmake_$1" -DLANGUAGE="$1" -DLANGUAGES="$2" -DFIRST="$tmp/first.f90" -Dep_DIR="$lib/cmake/ep" &&
        cmake --build "$tmp/cmake_$1"; } >"$tmp/cmake.log" 2>&1 || { cat "$tmp/cmake.log" && return 1; }
}

# What the library defines for others, and what the headers promise.
exported() { nm -D --defined-only "$lib/libep.so" | awk '{ print $3 }' | sort; }
# With libgomp's entry points, which task mode takes over.
not_ours() { exported | grep -Ev '^(ep|crt)_|^omp_[gs]et_external$|^GOMP_|^omp_(fulfill_event|in_final|in_explicit_task|get_num_threads|set_(num_threads|dynamic|nested|schedule|max_active_levels|default_device)(_8)?|(init|destroy|set|unset|test)_(nest_)?lock)_?$' || true; }
declared() {
    cat "$headers"/ep.h "$headers"/ep_win.h "$headers"/ep_file.h "$headers"/ep_counter.h "$headers"/ep_funnel.h "$headers"/crt.h | sed -nE 's/^(EP|CRT)_PUBLIC [^(]*[ *]([a-z_]+)\(.*/\2/p' | sort
}
missing() {
    exported >"$tmp/exported"
    declared >"$tmp/declared"
    [ -s "$tmp/declared" ] && comm -13 "$tmp/exported" "$tmp/declared"
}
# Of libep_shmem: each name with a p, and without, as the headers have it.
not_shmem() {
    folder=$(dirname "$(find "$tmp/root" -name pshmem.h)")
    sed -nE 's/^__attribute__\(\(noreturn\)\) //; s/^[a-z][^(#]*[ *]([a-z_0-9]+)\(.*/\1/p' "$folder/shmem.h" "$folder/pshmem.h" |
        sort >"$tmp/declared"
    nm -D --defined-only "$lib/libep_shmem.so" | awk '{ print $3 }' | sort >"$tmp/exported"
    [ "$(wc -l <"$tmp/declared")" -gt 3000 ] && comm -3 "$tmp/exported" "$tmp/declared"
}
needs_mpi() { ldd "$1" | grep -Ec 'libmpi|libmpich|libep' || true; }

meson install -C "$build" --no-rebuild --quiet --destdir "$tmp/root" || exit 1
pc=$(find "$tmp/root" -name ep.pc)
lib=$(dirname "$(dirname "$pc")")
PKG_CONFIG_PATH=$lib/pkgconfig LD_LIBRARY_PATH=$lib
export PKG_CONFIG_PATH LD_LIBRARY_PATH

check "no symbol is exported that is not public" "" not_ours
check "every public function is exported" "" missing
check "OpenSHMEM's functions, and no others, are exported" "" not_shmem

for language in C CXX; do
    if [ $language = C ]; then compiler=$cc; else compiler="$cxx -x c++"; fi
    check "compile $language, shared" "" compile ring_$language "$compiler" "$here/ring.c" ep
    check "run $language, shared" 6 "$tmp/ring_$language"
    check "compile $language, static" "" compile static_$language "$compiler" "$here/ring.c" ep --static
    check "run $language, static" 6 env LD_LIBRARY_PATH= "$tmp/static_$language"
done

# program_of FILE LANGUAGE: what a document shows.
program_of() { sed -n '/^```'"$2"'$/,/^```$/p' "$here/../../$1" | sed '1d;$d'; }

# README's first program, and what it is said to print.
readme=$here/../../README.md
program_of README.md c >"$tmp/first.c"
printed=$(sed -n '/any order:$/,/^[A-Z]/s/^    //p' "$readme" | sort)
check "compile README's program" "" compile first "$cc -fopenmp" "$tmp/first.c" ep
check "run README's program" "${printed:-nothing}" sh -c '${MPIRUN:-mpirun} -n 2 "$1" | sort' sh "$tmp/first"

# The same in Fortran, where module ep was built: by CMake in a project of Fortran alone.
run_first() { LD_LIBRARY_PATH=$2 ${MPIRUN:-mpirun} -n 2 "$1" | sort; }
if [ -f "$lib/pkgconfig/ep_fortran.pc" ]; then
    program_of README.md fortran >"$tmp/first.f90"
    fortran="${MPIFORT:-mpifort} -fopenmp -J$tmp"
    check "compile README's Fortran program, shared" "" compile first_fortran "$fortran" "$tmp/first.f90" ep_fortran
    check "run README's Fortran program, shared" "${printed:-nothing}" run_first "$tmp/first_fortran" "$lib"
    check "compile README's Fortran program, static" "" compile static_fortran "$fortran" "$tmp/first.f90" ep_fortran --static
    check "run README's Fortran program, static" "${printed:-nothing}" run_first "$tmp/static_fortran" ""
    program_of docs/fortran.md fortran >"$tmp/exchange.f90"
    check "compile docs/fortran.md's program" "" compile exchange "$fortran" "$tmp/exchange.f90" ep_fortran
    check "run docs/fortran.md's program" 42 "${MPIRUN:-mpirun}" -n 1 "$tmp/exchange"
    check "compile crt in Fortran" "" compile cond_fortran "$fortran -I$(dirname "$(find "$tmp/root" -name crt.mod)")" "$here/cond.f90" crt
    check "run crt in Fortran" 6 "$tmp/cond_fortran"
    for languages in Fortran "C;Fortran"; do
        check "cmake $languages, build" "" cmake_build Fortran "$languages"
        check "cmake $languages, run ep::ep_fortran" "${printed:-nothing}" run_first "$tmp/cmake_Fortran/first" "$lib"
        check "cmake $languages, run ep::ep_fortran_static" "${printed:-nothing}" run_first "$tmp/cmake_Fortran/first_static" ""
        rm -rf "$tmp/cmake_Fortran"
    done
fi

for languages in C CXX "C;CXX"; do
    language=${languages#*;}
    check "cmake $languages, build" "" cmake_build "$language" "$languages"
    check "cmake $languages, run ep::ep" 6 "$tmp/cmake_$language/ring_shared"
    check "cmake $languages, run ep::ep_static" 6 "$tmp/cmake_$language/ring_static"
    if [ "$language" = CXX ] && [ -f "$lib/pkgconfig/ep_lib.pc" ]; then
        check "cmake $languages, run ep::ep_lib" 6 "$tmp/cmake_$language/ep_lib_shared"
        check "cmake $languages, run ep::ep_lib_static" 6 "$tmp/cmake_$language/ep_lib_static"
    fi
    rm -rf "$tmp/cmake_$language"
done

# XIOS's interface in C++, where it was built.
if [ -f "$lib/pkgconfig/ep_lib.pc" ]; then
    check "compile ep_lib, shared" "" compile ep_lib "$cxx -std=c++11" "$here/ep_lib.cpp" ep_lib
    check "run ep_lib, shared" 6 "$tmp/ep_lib"
    check "compile ep_lib, static" "" compile ep_lib_static "$cxx -std=c++11" "$here/ep_lib.cpp" ep_lib --static
    check "run ep_lib, static" 6 env LD_LIBRARY_PATH= "$tmp/ep_lib_static"
fi

check "ep_info" "  EP_EAGER = 7 (environment)" sh -c "EP_EAGER=7 '$(find "$tmp/root" -name ep_info)' EP_EAGER | head -n 1"

# The drop-in: all headers that epcc needs, TAMPI's interface, eprun beside it.
bin=$(dirname "$(find "$tmp/root" -name epcc)")
dropin_build() { "$bin/epcc" -Wall -Werror "$here/dropin.c" -o "$tmp/dropin" -ltampi; }
check "epcc" "" dropin_build
check "eprun" 6 "$bin/eprun" -t 3 "$tmp/dropin"
# In Fortran, where it was built; another compiler makes the modules from the installed sources.
if [ -f "$bin/epfort" ]; then
    for source in dropin.f dropin.f90; do
        fortran_build() { "$bin/${2:-epfort}" ${3:+-fc=$3} "$here/$1" -J "$tmp" -o "$tmp/dropin_fortran"; }
        check "epfort $source" "" fortran_build $source
        check "eprun, $source" 6 "$bin/eprun" -t 3 "$tmp/dropin_fortran"
    done
    check "epf77" "" fortran_build dropin.f epf77
    check "epf90" "" fortran_build dropin.f90 epf90
    XDG_CACHE_HOME=$tmp/cache
    export XDG_CACHE_HOME
    for other in gfortran-11 gfortran-13 flang-new-19 flang-22; do
        command -v $other >/dev/null || continue
        check "epfort -fc=$other" "" fortran_build dropin.f90 epfort $other
        check "eprun, by $other" 6 "$bin/eprun" -t 3 "$tmp/dropin_fortran"
    done
fi
shmem_build() { "$bin/epshcc" -Wall -Werror "$here/shmem.c" -o "$tmp/shmem"; }
check "epshcc" "" shmem_build
check "eprun, OpenSHMEM" 6 "$bin/eprun" -t 3 "$tmp/shmem"
shmem_by_epcc() { "$bin/epc++" -Wall -Werror "$here/shmem.cpp" -o "$tmp/shmem_cpp" -lep_shmem; }
check "epc++ with OpenSHMEM" "" shmem_by_epcc
check "eprun, OpenSHMEM in C++" 6 "$bin/eprun" -t 3 "$tmp/shmem_cpp"

check "compile crt, shared" "" compile cond "$cc" "$here/cond.c" crt
check "run crt, shared" 6 "$tmp/cond"
check "compile crt, static" "" compile cond_static "$cc" "$here/cond.c" crt --static
check "run crt, static" 6 "$tmp/cond_static"
check "crt, shared, is free of MPI" 0 needs_mpi "$tmp/cond"
check "crt, static, is free of MPI" 0 needs_mpi "$tmp/cond_static"
exit $failed
