#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bench.sh BUILD_DIR [--quick] [--rounds=N] [--only=PEER,...] [NAME...]: run benchmarks, write tables.
# A benchmark is two files: NAME.peers lists the programs to compare, NAME.py says what the table shows; or it is
# apps: whole programs, by epbench.
# In each round every peer runs once (A B C A B C ...), so that all of them see the same disturbances.
# Results: out/bench/NAME.txt (the table), NAME.json (everything measured), NAME.raw (as printed), of some NAME.svg.
set -eu

usage() {
    echo "usage: bench.sh BUILD_DIR [--quick] [--rounds=N] [--only=PEER,...] [NAME...]" >&2
    exit 2
}

here=$(cd "$(dirname "$0")" && pwd)
out=$here/../out/bench
rounds=7 ms=45 only='' names='' build=''
for arg in "$@"; do
    case $arg in
    --quick) rounds=3 ms=9 ;;
    --rounds=*) rounds=${arg#*=} ;;
    --only=*) only=,${arg#*=}, ;;
    -*) usage ;;
    *) if [ -z "$build" ]; then build=$arg; else names="$names $arg"; fi ;;
    esac
done
[ -n "$build" ] || usage
[ -n "$names" ] || names="$(cd "$here" && echo *.peers | sed 's/\.peers//g') apps"
bin=$(cd "$build" && pwd)/bench
cpus=$(nproc)
failed=0
mkdir -p "$out"

# mpirun asks for these where root is the only user, as in containers.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Open MPI refuses more processes than cores unless told.
mpirun --version 2>&1 | grep -q 'Open MPI' || { echo "bench.sh: needs Open MPI's mpirun" >&2; exit 2; }

processes() {
    if [ "$1" -gt "$cpus" ]; then
        echo "mpirun --oversubscribe --bind-to none -n $1"
    elif [ "$2" = core ]; then
        echo "mpirun --bind-to core -n $1"
    else
        echo "mpirun --bind-to none -n $1"
    fi
}

# Run one peer, if it is wanted, and add its lines to the raw file.
peer() {
    label=$1
    shift
    case ${only:-,$label,} in *,$label,*) ;; *) return 0 ;; esac
    if timeout 120 "$@" --ms=$ms >"$out/peer.out" 2>"$out/peer.err" </dev/null; then
        sed "s/^/$round $label /" "$out/peer.out" >>"$raw"
    else
        echo "bench.sh: $label failed in round $round: $*" >&2
        tail -n 5 "$out/peer.err" >&2
        failed=1
    fi
}

for name in $names; do
    if [ "$name" = apps ]; then # whole programs: no peers here, epbench compares
        tools=$(cd "$build" && pwd)
        PATH=$tools/tools/dropin:$tools/src/eprun:$here/../tools:$PATH "$here/apps.sh" "$out" --rounds="$rounds" || failed=1
        continue
    fi
    [ -f "$here/$name.peers" ] || { echo "bench.sh: no benchmark named $name" >&2; exit 2; }
    raw=$out/$name.raw
    : >"$raw"
    [ "$cpus" -ge 2 ] || echo "bench.sh: one CPU only: all ranks share it, figures say little" >&2
    round=1
    while [ "$round" -le "$rounds" ]; do
        echo "$name: round $round of $rounds" >&2
        . "$here/$name.peers"
        round=$((round + 1))
    done
    rm -f "$out/peer.out" "$out/peer.err"
    python3 -B "$here/report.py" "$name" "$raw" "$out/$name.json" "$out/$name.txt"
done
exit $failed
