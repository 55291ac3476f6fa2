#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# walks.sh [SOURCE_DIR [OUT_DIR]]: how far one call goes through the source: calls, different functions, files and changes of
# layer (folder of src), counted by bench/walks.c in a build of its own. SOURCE_DIR is another checkout to measure.
# Writes a table, OUT_DIR/walks.txt and .json.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "${1:-$here/..}" && pwd)
mkdir -p "${2:-$here/../out/bench}"
out=$(cd "${2:-$here/../out/bench}" && pwd)
build=$source/build-walks
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# Optimization would only hide the calls; assertions are left out, as in a release.
if [ ! -f "$build/build.ninja" ]; then
    meson setup "$build" "$source" -Dbuildtype=plain -Db_ndebug=true -Db_lundef=false -Ddefault_library=shared -Dtests=false \
        -Dbench=false -Dexamples=false -Dc_args='-O0 -g -finstrument-functions' >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; exit 1; }
fi
lib=$(cd "$build" && ninja -t targets all | sed -n 's/^\(src\/libep\.so[.0-9]*\): c_LINKER.*/\1/p' | tail -n 1)
ninja -C "$build" "$lib" >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; exit 1; }
lib=$build/$lib
ln -sf "$lib" "$work/libep.so.0"
mpicc -O1 -g -fopenmp -rdynamic -I"$source/include/ep" "$here/walks.c" -o "$work/walks" "$lib" -Wl,-rpath,"$work" -ldl

# walk NAME PROCESSES WALK [SETTING=VALUE]
walk() {
    echo "walks: $1" >&2
    # shellcheck disable=SC2086 # no setting is no word
    env ${4:-} timeout 120 mpirun --oversubscribe --bind-to none --output-filename "$work/out.$1" -n "$2" "$work/walks" "$3" \
        >/dev/null 2>"$work/log" || { tail -n 20 "$work/log" >&2; echo "walks.sh: $1 failed" >&2; exit 1; }
}

walk near 1 near
walk shm 2 far
walk mpi 2 far EP_SHARED_MEMORY=0
walk reduce 2 reduce
walk put 2 put
walk put_am 2 put EP_RMA=am
walk inter 2 inter
python3 -B "$here/walks.py" "$work" "$lib" "$source" "$out"
