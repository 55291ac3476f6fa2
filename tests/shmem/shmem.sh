#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Build the SHMEM programs of a folder and run each: shmem.sh BUILDDIR FOLDER[/PROGRAM] LAYOUT...
# A layout is PxT (P processes, T endpoints each, by eprun), or osh4 (4 PEs of another library's oshrun: only what its programs say
# counts, not how they end), with settings of the environment behind it: 2x2:EP_SHARED_MEMORY=0. What programs tell is in check.h.
# One line per failure, and a summary. From the environment: EPSHCC, EPSHCXX, EPRUN; OSHCC, OSHCXX, OSHRUN for oshN; JOBS, LIMIT
# (seconds per run), CFLAGS; STAMPS, files that what is built must be newer than. Several may run at once: the first builds.
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 3 ] || { echo "usage: shmem.sh BUILDDIR FOLDER[/PROGRAM] LAYOUT..." >&2; exit 2; }
top=$1 folder=${2%%/*} only=
[[ $2 == */* ]] && only=$(basename "${2#*/}")
only=${only%.*}
shift 2
: "${EPSHCC:=epshcc}" "${EPSHCXX:=epshc++}" "${EPRUN:=eprun}" "${OSHCC:=oshcc}" "${OSHCXX:=oshc++}" "${OSHRUN:=oshrun}"
: "${JOBS:=2}" "${LIMIT:=60}" "${CFLAGS:=-O1 -g -Wall -Wextra -Wpedantic -Wshadow}"
read -ra cflags <<<"$CFLAGS"
ulimit -c 0

# told FILE WHAT: the value of its comment "shmem: WHAT value".
told() { sed -n "s|.*shmem: $2 *\(.*[^ ]\) *\*/.*|\1|p" "$1" | head -1; }

# is_built OUT SOURCE: nothing that it is made of is newer.
is_built() {
    local of
    [ -x "$1" ] || return 1
    # shellcheck disable=SC2086 # words
    for of in "$2" "$here"/*.h "$here/$folder"/*.h "$0" $EPSHCC ${STAMPS-}; do
        [ ! -e "$of" ] || [ "$1" -nt "$of" ] || return 1
    done
}

# build KIND SOURCE: its program is $top/KIND/folder-name, what the compiler said in .log beside it.
build() {
    local out=$top/$1/$folder-$(basename "${2%.*}") cc=$EPSHCC flags
    [ "$1" = osh ] && cc=$OSHCC
    ! is_built "$out" "$2" || return 0
    if [[ $2 == *.cc ]]; then
        cc=$EPSHCXX
        [ "$1" = osh ] && cc=$OSHCXX
    fi
    read -ra flags <<<"$(told "$2" flags)"
    rm -f "$out"
    $cc "${cflags[@]}" -I"$here" "$2" -o "$out" -lm -lpthread "${flags[@]}" >"$out.log" 2>&1
}

# run LAYOUT SOURCE: 0 if all is well, else a line says what is not.
run() {
    local layout=${1%%:*} kind=ep what=$folder/$(basename "$2") program out status want said settings command text
    [[ $layout == osh* ]] && kind=osh
    program=$top/$kind/$folder-$(basename "${2%.*}") out=$program.${1//[^A-Za-z0-9]/_}.out
    if [ ! -x "$program" ] || [ -s "$program.log" ]; then
        echo "FAIL $what $1: does not build without a word: $(grep -m1 -E 'error|undefined|warning|:' "$program.log")"
        return 1
    fi
    command=($EPRUN -n "${layout%%x*}" -t "${layout#*x}")
    [ $kind = osh ] && command=($OSHRUN -np "${layout#osh}")
    settings=$(told "$2" env)
    [[ $1 == *:* ]] && settings="$settings ${1#*:}"
    # The shell says on its own stderr what signal ended a command.
    # shellcheck disable=SC2086 # words
    { env $settings timeout -k 5 "$LIMIT" "${command[@]}" "$program" >"$out" 2>&1 </dev/null; } 2>/dev/null
    status=$?
    want=$(told "$2" status) said=$(told "$2" says) text=
    if [ $kind = osh ]; then
        grep -qE "${said:-^ No Errors}" "$out" && return 0
    elif [ "$status" != "${want:-0}" ]; then
        text="exit status $status, not ${want:-0}"
    elif ! grep -qE "${said:-^ No Errors}" "$out"; then
        [ -n "$want" ] && [ -z "$said" ] && return 0
        text="does not say \"${said:- No Errors}\""
    else
        return 0
    fi
    echo "FAIL $what $1: $text: $(grep -v '^ *$' "$out" | head -"${LINES_SHOWN:-2}")"
    return 1
}

sources=()
for source in "$here/$folder"/*.c "$here/$folder"/*.cc; do
    [ -f "$source" ] || continue
    [ -n "$only" ] && [ "$(basename "${source%.*}")" != "$only" ] && continue
    sources+=("$source")
done
[ ${#sources[@]} -gt 0 ] || { echo "shmem.sh: no programs in $here/$folder" >&2; exit 2; }

kinds=$(for layout in "$@"; do [[ $layout == osh* ]] && echo osh || echo ep; done | sort -u)
for kind in $kinds; do
    mkdir -p "$top/$kind"
    (
        flock 9
        for source in "${sources[@]}"; do
            while [ "$(jobs -rp | wc -l)" -ge "$JOBS" ]; do wait -n; done
            build "$kind" "$source" 9>&- &
        done
        wait
    ) 9>"$top/$kind/$folder.lock"
done
runs=0 failed=0
for layout in "$@"; do
    for source in "${sources[@]}"; do
        allowed=$(told "$source" layouts)
        [ -n "$allowed" ] && [[ " $allowed " != *" $layout "* ]] && continue
        runs=$((runs + 1))
        run "$layout" "$source" || failed=$((failed + 1))
    done
done
echo "$folder: ${#sources[@]} programs, $runs runs, $failed failed"
[ $failed = 0 ]
