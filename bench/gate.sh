#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# gate.sh BUILD_DIR [COMMIT] [--rounds=N] [--ms=N]: did this tree, as it is built in BUILD_DIR, get slower than COMMIT? Compares
# instructions (instructions.sh) and times (bench.sh --against), and measures again what looks worse, twice at most; gate.py judges.
# COMMIT: if none is named, the last one that HEAD has in common with main; where that is HEAD itself, HEAD if there are changes
# that are not committed, else the one before it.
# COMMIT's files are taken to build-gate/tree, and bench/ is replaced by this tree's: the same programs on both libraries. If
# they do not build there, COMMIT's own are taken. Nothing else of the repository is written but out/bench.
# Results: out/bench/gate.txt, what got worse first, and gate.json; status 1 if anything got worse, 2 if nothing could be said.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/.." && pwd)
there=$root/build-gate
out=$root/out/bench/gate
build='' commit='' rounds=6 ms=10

die() { echo "gate.sh: $*" >&2; exit 2; }

for arg in "$@"; do
    case $arg in
    --rounds=*) rounds=${arg#*=} ;;
    --ms=*) ms=${arg#*=} ;;
    -*) die "no option $arg; usage: gate.sh BUILD_DIR [COMMIT] [--rounds=N] [--ms=N]" ;;
    *)
        [ -z "$commit" ] || die "one commit only"
        if [ -z "$build" ]; then build=$(cd "$arg" && pwd); else commit=$arg; fi
        ;;
    esac
done
[ -n "$build" ] || die "usage: gate.sh BUILD_DIR [COMMIT] [--rounds=N] [--ms=N]"

git_here() { git -C "$root" "$@"; }
changed() { ! git_here diff --quiet HEAD; }

other_commit() {
    for main in main origin/main; do
        base=$(git_here merge-base HEAD "$main" 2>/dev/null) && break
    done
    if [ -n "$base" ] && [ "$base" != "$(git_here rev-parse HEAD)" ]; then
        echo "$base"
    elif changed; then
        echo HEAD
    else
        echo HEAD~1
    fi
}

# files COMMIT [FOLDER]: of the commit, to build-gate/tree. New times of change: what was built of another commit is older.
files() { git_here archive "$@" | tar -xm -C "$there/tree"; }

# Those programs of the gate that the other commit has.
programs() {
    ninja -C "$there/build" -t targets all | sed -n 's/^\(bench\/bench_\(instructions\|p2p\|coll\|comm\|memory\|rma\)_ep\): .*/\1/p'
}

# Build them, or leave the log and fail.
compile() {
    { [ -f "$there/build/build.ninja" ] || meson setup "$there/build" "$there/tree" -Dtests=false -Dexamples=false; } \
        >"$there/log" 2>&1 &&
        ninja -C "$there/build" build.ninja >>"$there/log" 2>&1 && wanted=$(programs) && [ -n "$wanted" ] &&
        echo "$wanted" | xargs ninja -C "$there/build" >>"$there/log" 2>&1
}

# With new times of change, as in files.
copy_bench() {
    rm -rf "$there/tree/bench"
    cp -R "$here" "$there/tree/bench"
}

# Build the other commit. What is built already stays if it is the same commit.
build_other() {
    if [ "$(cat "$there/commit" 2>/dev/null)" != "$commit" ]; then
        rm -rf "$there/tree" "$there/commit"
        mkdir -p "$there/tree"
        files "$commit" || die "no files of $commit"
        echo "$commit" >"$there/commit"
    fi
    diff -r "$here" "$there/tree/bench" >/dev/null 2>&1 || copy_bench
    ! compile || return 0
    notes="This tree's bench/ does not build there: its own programs were compared."
    echo "gate: $notes" >&2
    rm -rf "$there/tree/bench" "$there/build"
    files "$commit" bench
    compile || { tail -n 40 "$there/log" >&2; die "could not build $commit"; }
}

# count FOLDER: instructions on both sides, at once: time does not count.
count() {
    "$here/instructions.sh" "$there/build" "$1/base" ep >"$1.log" 2>&1 &
    "$here/instructions.sh" "$build" "$1/here" ep >"$1.here.log" 2>&1 || mistake "$1.here.log" "instructions ep"
    wait $! || cat "$1.log" >&2
}

mistake() {
    cat "$1" >&2
    echo "$2" >>"$out/1/failed"
}

# measure FOLDER ARGUMENT...: of bench.sh, which says itself what failed.
measure() {
    folder=$1
    shift
    "$here/bench.sh" "$build" --against="$there/build" --out="$folder" --rounds="$rounds" --ms="$ms" "$@" || true
}

# What looks worse in all measurements so far, once more.
again() {
    python3 -B "$here/gate.py" suspects "$out" >"$out/suspects"
    while read -r name peer kernels <&3; do
        echo "gate: measurement $1 of $name $peer $kernels" >&2
        case $name in
        instructions) mkdir -p "$out/$1" && count "$out/$1" ;;
        *) measure "$out/$1/$peer" --only="$peer" --kernels="$kernels" "$name" ;;
        esac
    done 3<"$out/suspects"
}

# Are both built with the same options?
alike() {
    python3 -B -c 'import sys; sys.path.insert(0, sys.argv[1]); import facts
sys.exit(facts.options(sys.argv[2]) != facts.options(sys.argv[3]))' "$here" "$build" "$there/build"
}

git_here rev-parse -q --verify HEAD >/dev/null || die "needs git, and a repository"
commit=$(git_here rev-parse -q --verify "${commit:-$(other_commit)}^{commit}") || die "no such commit"
began=$(date +%s) notes=''
rm -rf "$out"
mkdir -p "$out/1" "$there"
echo "gate: building $(git_here log -1 --format='%h %s' "$commit")" >&2
build_other
python3 -B "$here/facts.py" "$build" "$rounds" "$ms" >"$out/facts.json"
echo "gate: instructions ($(($(date +%s) - began)) s so far)" >&2
count "$out/1"
measure "$out/1" p2p coll comm rma
again 2
again 3
alike || notes="$notes The two are not built with the same options."
{
    echo "$(git_here log -1 --format='%h %s')$(! changed || echo ', and changes')"
    git_here log -1 --format='%h %s' "$commit"
    [ -z "$notes" ] || echo "$notes"
} >"$out/about"
status=0
python3 -B "$here/gate.py" judge "$out" || status=$?
cp "$out/gate.txt" "$out/gate.json" "$out/.."
echo "written: $(cd "$out/.." && pwd)/gate.txt and gate.json, after $(($(date +%s) - began)) s" >&2
exit $status
