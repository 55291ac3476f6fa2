#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# instructions.sh BUILD_DIR [OUT_DIR]: how many instructions a message of 8 bytes takes, counted by valgrind's callgrind in
# bench/instructions.c. Unlike times these figures are the same on a busy machine, and almost the same in each run.
# Every kernel runs with N and with 2N messages; the difference / N is free of what is done once. Writes a table,
# OUT_DIR/instructions.txt and .json.
set -eu
[ $# -ge 1 ] || { echo "usage: instructions.sh BUILD_DIR [OUT_DIR]" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "$1" && pwd)/bench
mkdir -p "${2:-$here/../out/bench}"
out=$(cd "${2:-$here/../out/bench}" && pwd)
command -v valgrind >/dev/null || { echo "instructions.sh: needs valgrind" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
messages=1024 # N

# count PROCESSES PEER KERNEL N [ARGUMENT...]: leaves callgrind's files, one per process.
count() {
    processes=$1 who=$2 what=$3 number=$4
    shift 4
    stem=$work/$who.$what.$number
    rm -f "$work"/fifo?
    mkfifo "$work/fifo1" "$work/fifo2"
    timeout 300 mpirun --oversubscribe --bind-to none -n "$processes" valgrind -q --tool=callgrind \
        '--toggle-collect=counted_*' --callgrind-out-file="$stem.%p" "$bin/bench_instructions_$who" "$what" "$number" "$@" \
        >"$work/log" 2>&1 </dev/null || { tail -n 20 "$work/log" >&2; echo "instructions.sh: $who $what failed" >&2; exit 1; }
}

for kernel in pair wild irecv window self; do
    echo "instructions: near, $kernel" >&2
    for n in $messages $((2 * messages)); do count 1 ep near_$kernel $n; done
done
for peer in ep mpi improbe; do
    echo "instructions: far, $peer" >&2
    for n in $messages $((2 * messages)); do count 2 $peer far_pair $n "$work/fifo1" "$work/fifo2"; done
done
python3 -B "$here/instructions.py" "$work" $messages "$out"
