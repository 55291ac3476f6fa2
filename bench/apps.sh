#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# apps.sh OUT_DIR [--rounds=N] [APP...]: mini-apps of tests/apps as processes and as endpoints, by epbench, which must be
# in PATH with epcc and eprun: 8 ranks, and 2 ranks. Tables, JSON and plots are left in OUT_DIR/apps.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$1/apps rounds=5 apps=
shift
for arg in "$@"; do
    case $arg in
    --rounds=*) rounds=${arg#*=} ;;
    *) apps="$apps $arg" ;;
    esac
done

compare() {
    name=$1 layouts=$2
    # shellcheck disable=SC2016 # the build line's $CC is epbench's matter
    epbench compare --layouts "$layouts" --rounds "$rounds" --same-output '^RESULT' --time '^TIME \S+ (\S+)' \
        --name "$name-$3" --out "$out/$name-$3" --source "$here/../tests/apps/$name" -- \
        'case $(echo *.cc) in "*.cc") $CC -O2 -o app *.c -lm ;; *) $CXX -O2 -o app *.cc ;; esac' / ./app
    cp "$out/$name-$3/$name-$3".* "$out"
}

for app in ${apps:-halo cg}; do
    compare "$app" 8x1,4x2,2x4,1x8 8
    compare "$app" 2x1,1x2 2
done
