#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# apps.sh BUILD_DIR OUT_DIR [--rounds=N] [--brief] [APP...]: mini-apps of tests/apps as processes and as endpoints, by epbench,
# which must be in PATH with epcc and eprun: 8 ranks, and of halo and cg 2 ranks. Beside them the halo exchange with MPI and
# OpenMP by hand (hybrid_halo.c), called M+t. Tables, JSON and plots are left in OUT_DIR/apps. --brief: fewer rounds for what does not vary.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
hybrid=$1/bench/bench_halo_hybrid
out=$2/apps rounds=5 few='' apps=''
shift 2
for arg in "$@"; do
    case $arg in
    --rounds=*) rounds=${arg#*=} ;;
    --brief) few='--memory-rounds 1' ;;
    *) apps="$apps $arg" ;;
    esac
done

# by_hand RANKS PROCESSES THREADS: an argument of epbench for the program by hand. One process needs no launcher, as under eprun.
by_hand() {
    launch=''
    [ "$2" = 1 ] || launch="mpirun --oversubscribe --bind-to none --mca mpi_yield_when_idle 1 -n $2 "
    printf -- '--beside=%s:M+t %sx%s=%senv OMP_NUM_THREADS=%s %s' "$1" "$2" "$3" "$launch" "$3" "$hybrid"
}

# compare APP RANKS LAYOUTS [ARGUMENT...]
compare() {
    name=$1 ranks=$2 layouts=$3
    shift 3
    # shellcheck disable=SC2016,SC2086 # the build line's $CC is epbench's matter
    epbench compare --layouts "$layouts" --rounds "$rounds" $few --same-output '^RESULT' --time '^TIME \S+ (\S+)' \
        --name "$name-$ranks" --out "$out/$name-$ranks" --source "$here/../tests/apps/$name" "$@" -- \
        'case $(echo *.cc) in "*.cc") $CC -O2 -o app *.c -lm ;; *) $CXX -O2 -o app *.cc ;; esac' / ./app
    cp "$out/$name-$ranks/$name-$ranks".* "$out/.."
}

for app in ${apps:-halo cg hydro sparse fft}; do
    if [ "$app" = halo ] && [ -x "$hybrid" ]; then
        compare "$app" 8 8x1,4x2,2x4,1x8 "$(by_hand 8 2 4)" "$(by_hand 8 1 8)"
        compare "$app" 2 2x1,1x2 "$(by_hand 2 1 2)"
    elif [ "$app" = halo ] || [ "$app" = cg ]; then
        compare "$app" 8 8x1,4x2,2x4,1x8
        compare "$app" 2 2x1,1x2
    else
        compare "$app" 8 4x2,2x4,1x8
    fi
done
