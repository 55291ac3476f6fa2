# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC1090,SC2034,SC2086,SC2154 # variables of and for those who include this; lists are meant to be split
# What every package has in common. A package's file defines
#   source_package   its name in the archive, where that is another one
#   build            compile in the current folder, from $source; CC and FC are set
#   tests            run; each test ends in `result NAME ok|failed|lacks [REASON]`
#   layouts          of these, where not all
# Both run in a subshell, once for processes and once for endpoints, the tests for endpoints in each layout.

layouts="processes 1x4 2x2"

say() { printf '%s\n' "$*"; }

compilers() { # FLAVOUR
    case $1 in
        processes) export CC=mpicc FC=mpifort MPIEXEC="mpirun" ;;
        endpoints) export CC=epcc FC=epfort MPIEXEC="eprun" ;;
    esac
    export F77=$FC F90=$FC MPICC=$CC MPIF90=$FC MPIF77=$FC
}

# layout NAME: with it `ranks 4 ./app` starts what the table's column says; other numbers of ranks accordingly.
layout() {
    case $1 in
        processes) compilers processes ;;
        1x4) compilers endpoints && export EP_THREADS_PER_PROCESS=all ;;
        2x2) compilers endpoints && export EP_THREADS_PER_PROCESS=2 ;;
    esac
}

# ranks N COMMAND...: end it where it hangs.
ranks() { timeout -k 5 "${patience:-120}" $MPIEXEC -n "$@"; }

# lines_of N COMMAND...: what it prints, where mpirun could mix lines of two processes (eprun does not).
lines_of() {
    if [ "$place" != processes ]; then ranks "$@"; return; fi
    rm -f lines.*
    # shellcheck disable=SC2016 # for that shell
    ranks "$1" sh -c 'exec "$0" "$@" >lines.${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}' "${@:2}" && cat lines.*
}

# result TEST ok|failed|lacks|nosource|run [REASON]
result() { printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$name" "$version" "$place" "$1" "$2" "${3:-}" >>"$results"; }

# check TEST COMMAND...: a test is a command's status.
check() {
    local test=$1
    shift
    if "$@"; then result "$test" ok; else result "$test" failed "status $?"; fi
}

# results_of_make: of the tests that `make check` has run, as automake notes them.
results_of_make() {
    local file test
    for file in $(find . -name '*.trs' | sort); do
        test=$(basename "$file" .trs)
        case $(sed -n 's/^:test-result: *//p' "$file" | tail -n 1) in
            PASS*) result "$test" ok ;;
            SKIP*) ;;
            *) result "$test" failed "see $PWD/${file%.trs}.log" ;;
        esac
    done
}

# state: what a build for endpoints depends on beside the sources: what is compiled with and linked in.
state() {
    declare -f build configuration
    cat "$source.version"
    [ "$1" = processes ] || cat "$ep"/src/fortran/libep_fortran.a "$ep"/src/fortran/modules/{mpif.h,*.mod} "$ep"/src/image/*.a \
        "$ep"/src/dropin/*.h "$here"/../../include/ep/dropin/*.h "$ep"/tools/dropin/epcc
}

# built FLAVOUR: build it where that is not done.
built() {
    local dir=$work/$name/$1 sum
    sum=$(state "$1" | sha256sum)
    [ "$(cat "$dir.built" 2>/dev/null)" != "$sum" ] || return 0
    rm -rf "$dir" "$dir.built" && mkdir -p "$dir" || return
    (compilers "$1" && cd "$dir" && build) >"$work/logs/$name-$1-build.log" 2>&1 && printf '%s' "$sum" >"$dir.built"
}

package() {
    local place version='?' flavour began
    name=$1 source_package=$1 place=all
    results=$out/$name.tsv # package, version, layout, test, ok|failed|lacks|nosource|run, reason
    : >"$results"
    . "$here/packages/$name.sh"
    source=$work/sources/$source_package
    mkdir -p "$work/sources" "$work/$name"
    if ! fetch "$source_package" "$source" >"$work/logs/$name-source.log" 2>&1; then
        say "$name: no source (see $work/logs/$name-source.log)"
        result source nosource
        return
    fi
    version=$(cat "$source.version")
    for flavour in processes endpoints; do
        began=$SECONDS place=$flavour
        if ! built "$flavour"; then
            tail -n 30 "$work/logs/$name-$flavour-build.log"
            say "$name: does not build for $flavour"
            result build failed "see logs"
            continue
        fi
        [ $((SECONDS - began)) -lt 2 ] || say "$name: built for $flavour in $((SECONDS - began)) s"
        for place in $layouts; do
            case $place:$flavour in processes:endpoints | [12]x?:processes) continue ;; esac
            began=$SECONDS
            result layout run
            (layout "$place" && cd "$work/$name/$flavour" && tests) >"$work/logs/$name-$place.log" 2>&1
            say "$name: $place, $((SECONDS - began)) s: $(awk -F '\t' -v p="$place" '$3 == p && $5 != "run" { c[$5]++ }
                END { for (k in c) printf "%d %s ", c[k], k }' "$results")"
        done
    done
}
