#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bench.sh BUILD_DIR [--quick] [--rounds=N] [--ms=N] [--only=PEER,...] [--kernels=KERNEL,...] [all | NAME...]: run benchmarks,
# write tables.
# A benchmark is two files: NAME.peers lists the programs to compare, NAME.py says what the tables show; or it is
# apps: whole programs, by epbench; or ioserver: examples/ioserver (ioserver.py); or instructions or walks: counted, not timed
# (instructions.sh, walks.sh); or start: what starting a program takes (start.py). shmem, OpenSHMEM, has files but is not among all.
# In each round every peer runs once (A B C A B C ...), so that all of them see the same disturbances.
# Results: out/bench/NAME.txt (the tables), NAME.json (everything measured), NAME.raw (as printed), NAME.svg.
# all, or no name: p2p coll comm rma tasks apps, in ten minutes or so, and one report of them: out/bench/report.md, report.json.
# --against=DIR --out=DIR: for gate.sh. Only ep's programs run, each from BUILD_DIR and then from this build, in every second
# round the other way round; the latter's lines have the peer's name with "base:" in front. OUT/NAME.raw is all that is written, and
# OUT/failed, the peers of BUILD_DIR that failed.
set -eu

usage() {
    echo "usage: bench.sh BUILD_DIR [--quick] [--rounds=N] [--ms=N] [--only=PEER,...] [--kernels=KERNEL,...] [all | NAME...]" >&2
    exit 2
}

here=$(cd "$(dirname "$0")" && pwd)
out=$here/../out/bench
rounds='' ms='' quick='' only='' kernels='' against='' names='' build='' whole=''
for arg in "$@"; do
    case $arg in
    --quick) quick=1 ;;
    --rounds=*) rounds=${arg#*=} ;;
    --ms=*) ms=${arg#*=} ;;
    --only=*) only=,${arg#*=}, ;;
    --kernels=*) kernels=${arg#*=} ;;
    --against=*) against=$(cd "${arg#*=}" && pwd) ;;
    --out=*) out=${arg#*=} ;;
    -*) usage ;;
    *) if [ -z "$build" ]; then build=$arg; else names="$names $arg"; fi ;;
    esac
done
[ -n "$build" ] || usage
case $names in
'' | ' all') names='p2p coll comm rma tasks apps' whole=1 ;;
esac
# Together they must end in some minutes.
case $quick$whole in
'') : "${rounds:=7}" "${ms:=45}" ;;
1) if [ -n "$whole" ]; then : "${rounds:=5}" "${ms:=10}"; else : "${rounds:=3}" "${ms:=9}"; fi ;;
11) : "${rounds:=1}" "${ms:=5}" ;;
esac
tools=$(cd "$build" && pwd)
bin=$tools/bench
cpus=$(nproc)
failed=0
mkdir -p "$out"
out=$(cd "$out" && pwd)
facts=$out/facts.json
began=$(date +%s)

# mpirun asks for these where root is the only user, as in containers.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Open MPI refuses more processes than cores unless told.
mpirun --version 2>&1 | grep -q 'Open MPI' || { echo "bench.sh: needs Open MPI's mpirun" >&2; exit 2; }

# So many seconds since the start.
since() { echo $(($(date +%s) - began)); }

processes() {
    if [ "$1" -gt "$cpus" ]; then
        echo "mpirun --oversubscribe --bind-to none -n $1"
    elif [ "$2" = core ]; then
        echo "mpirun --bind-to core -n $1"
    else
        echo "mpirun --bind-to none -n $1"
    fi
}

# Open MPI's oshrun: its programs crash in shmem_finalize on some machines. It has succeeded if all was printed.
ended() {
    case $1 in *oshrun) grep -q '^# end$' "$out/peer.out" ;; *) false ;; esac
}

# What the peer printed: cells, or times of a program in seconds, "TIME name median min"; the rest is for people.
cells() {
    awk -v peer="$round $label" '
        NF == 4 && $1 == "TIME" { printf "%s %s 0 %.6f %.6f\n", peer, $2, 1e6 * $3, 1e6 * $4 }
        NF == 4 && $2 $3 $4 ~ /^[0-9.]+$/ { print peer, $0 }' "$out/peer.out"
}

# Run one peer, if it is wanted, and add its lines to the raw file.
peer() { program "$@" --ms="$ms" ${kernels:+--kernels="$kernels"}; }

# The same for one that takes its own time.
program() {
    wanted=$1
    case ${only:-,$wanted,} in *,$wanted,*) ;; *) return 0 ;; esac
    if [ -z "$against" ]; then
        measure "$@"
    else
        case "$* " in *" $bin/"*"_ep "*) both "$@" ;; esac
    fi
}

both() {
    [ $((round % 2)) = 1 ] || base "$@"
    measure "$@"
    [ $((round % 2)) = 0 ] || base "$@"
}

# The program of the same name in the build that is compared with.
base() {
    for word in "$@"; do
        shift
        case $word in
        "$bin"/*) word=$against/bench/${word#"$bin"/} ;;
        "$wanted") word=base:$wanted ;;
        esac
        set -- "$@" "$word"
    done
    measure "$@"
}

measure() {
    label=$1
    shift
    if timeout 120 "$@" >"$out/peer.out" 2>"$out/peer.err" </dev/null || ended "$1"; then
        cells >>"$raw"
    else
        echo "bench.sh: $label failed in round $round: $*" >&2
        tail -n 5 "$out/peer.err" >&2
        case $label in base:*) ;; *) failed=1 && [ -z "$against" ] || echo "$name $label" >>"$out/failed" ;; esac
    fi
}

# Seconds that a benchmark of all, or of the gate, should take; on a slow machine it has fewer rounds, but three.
share_of() {
    case $1 in
    p2p) echo 75 ;;
    rma) echo 45 ;;
    *) echo 110 ;;
    esac
}

# over NAME START ROUND: would another round take the benchmark beyond its share?
over() {
    [ -n "$whole$against" ] && [ "$3" -ge 3 ] && [ "$3" -lt "$rounds" ] || return 1
    used=$(($(since) - $2))
    [ $((used + used / $3)) -gt "$(share_of "$1")" ] || return 1
    echo "$1: $3 rounds took $used s, no more" >&2
}

# timed NAME: the benchmark of that name.
timed() {
    name=$1 raw=$out/$1.raw round=1 start=$(since)
    : >"$raw"
    while [ "$round" -le "$rounds" ]; do
        echo "$name: round $round of $rounds ($(since) s so far)" >&2
        . "$here/$name.peers"
        ! over "$name" "$start" "$round" || break
        round=$((round + 1))
    done
    rm -f "$out/peer.out" "$out/peer.err"
    [ -n "$against" ] || python3 -B "$here/report.py" "$name" "$raw" "$facts" "$out" || failed=1
}

for name in $names; do
    case $name in
    apps | ioserver | instructions | walks | start) ;;
    *) [ -f "$here/$name.peers" ] || { echo "bench.sh: no benchmark named $name" >&2; exit 2; } ;;
    esac
done
[ -n "$against" ] || python3 -B "$here/facts.py" "$tools" "$rounds" "$ms" >"$facts"
for name in $names; do
    case $name in
    apps)
        echo "apps: $rounds rounds ($(since) s so far)" >&2
        PATH=$tools/tools/dropin:$tools/src/eprun:$here/../tools:$PATH \
            "$here/apps.sh" "$tools" "$out" --rounds="$rounds" ${whole:+--brief} || failed=1
        ;;
    ioserver) python3 -B "$here/ioserver.py" "$tools" "$out" "$rounds" || failed=1 ;;
    instructions) "$here/instructions.sh" "$tools" "$out" || failed=1 ;;
    walks) "$here/walks.sh" "$here/.." "$out" || failed=1 ;;
    start) python3 -B "$here/start.py" "$tools" "$out" "$rounds" || failed=1 ;;
    *) timed "$name" ;;
    esac
done
[ -z "$whole" ] || python3 -B "$here/whole.py" "$out" "$(since)" || failed=1
echo "took $(since) s" >&2
exit $failed
