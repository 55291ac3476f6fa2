#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# instructions.sh BUILD_DIR [OUT_DIR [PEER...]]: how many instructions a small call takes, counted by valgrind's callgrind in
# bench/instructions.c. Unlike times these figures are the same on a busy machine, and almost the same in each run. Peers: ep mpi
# improbe. Writes a table, OUT_DIR/instructions.txt and .json.
set -eu
[ $# -ge 1 ] || { echo "usage: instructions.sh BUILD_DIR [OUT_DIR [PEER...]]" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "$1" && pwd)/bench
mkdir -p "${2:-$here/../out/bench}"
out=$(cd "${2:-$here/../out/bench}" && pwd)
[ $# -le 2 ] || { shift 2; peers=$*; }
command -v valgrind >/dev/null || { echo "instructions.sh: needs valgrind" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
failed=0

# count PROCESSES PEER ARGUMENT...: leaves the turns that it printed, and callgrind's files: STEM.PROCESS.DUMP.
count() {
    processes=$1 who=$2
    shift 2
    echo "instructions: $1, $who" >&2
    stem=$work/$who.$1
    timeout 120 mpirun --oversubscribe --bind-to none -n "$processes" valgrind -q --tool=callgrind '--toggle-collect=counted*' \
        '--dump-before=dump_counts*' --callgrind-out-file="$stem.%p" "$bin/bench_instructions_$who" "$@" \
        >"$stem.turns" 2>"$work/log" </dev/null ||
        { tail -n 20 "$work/log" >&2; echo "instructions.sh: $1, $who failed after $(tail -n 1 "$stem.turns")" >&2; failed=1; }
}

for peer in ${peers:-ep mpi improbe}; do
    [ "$peer" != ep ] || count 1 ep near
    rm -f "$work"/fifo?
    mkfifo "$work/fifo1" "$work/fifo2"
    count 2 "$peer" far "$work/fifo1" "$work/fifo2"
done
python3 -B "$here/instructions.py" "$work" "$out"
exit $failed
