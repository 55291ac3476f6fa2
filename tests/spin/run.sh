#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Check the models here: each and its variants must verify, each of its mutants must be caught.
#   run.sh [model...]     default: all. CC, SPIN and SPIN_JOBS (default 2) can be set.
# The first comment of a model lists "VARIANT NAME ..." and "MUTANT NAME ...": macros to define. With a line that
# begins with "LIVENESS" it is searched for cycles without progress, too.
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 1

# MODEL KIND NAME of the model as it is and of all that its comment lists.
cases()
{
    echo "$1 model plain"
    sed -n '1,/\*\/$/{
        s|^ \* VARIANT *\([A-Z_]*\) .*|'"$1"' variant \1|p
        s|^ \* MUTANT *\([A-Z_]*\) .*|'"$1"' mutant \1|p
    }' "$1"
}

# Generate, build and run the checker for macro $2 of model $1, a $3, in the current folder.
search()
{
    case $3 in mutant) optimize=-O0 ;; *) optimize=-O1 ;; esac # a mutant fails early
    "${SPIN:-spin}" "-D$2" -a "$1" >build.log 2>&1 &&
        ${CC:-cc} -w $optimize -DSAFETY -DMEMLIM=1500 -o pan pan.c >>build.log 2>&1 || return
    # With -b a search that reaches the depth limit is an error; what is beyond would be left out.
    nice ./pan -b -m20000 >pan.log 2>&1
    grep -q '^ \* LIVENESS' "$1" && grep -q 'errors: 0$' pan.log || return 0
    ${CC:-cc} -w $optimize -DNP -DMEMLIM=1500 -o pan pan.c >>build.log 2>&1 && nice ./pan -b -m200000 -l -f >pan.log 2>&1
}

# One line: a mutant must fail by an assertion, a deadlock or a livelock, not by some limit of the checker.
judge()
{
    reason=$(sed -n 's/^pan:1: //p' pan.log)
    states=$(sed -n 's/^ *\([0-9]*\) states, stored.*/\1/p' pan.log)
    case $1:$reason in
    mutant:"assertion violated"* | mutant:"invalid end state"* | mutant:"non-progress cycle"*)
        [ -s "$2.trail" ] && echo "ok: caught, $reason" && return ;;
    model: | variant:)
        grep -q '^State-vector.*errors: 0$' pan.log && ! grep -q 'Search not completed' pan.log &&
            echo "ok: verified, $states states" && return ;;
    esac
    echo "FAILED: ${reason:-no error found or no complete search}, $states states"
}

if [ "${1:-}" = --case ]; then # MODEL KIND NAME FOLDER
    name=$(basename "$2" .pml)
    mkdir "$5/$name-$4" && cd "$5/$name-$4" || exit 1
    if search "$2" "$4" "$3"; then
        verdict=$(judge "$3" "$name.pml")
    else
        verdict="FAILED: $(tail -n 1 build.log)"
    fi
    echo "$name $3 $4 $verdict"
    exit
fi

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
[ $# -gt 0 ] || set -- "$here"/*.pml
for model; do
    [ -f "$model" ] || model=$here/$model.pml
    [ -f "$model" ] || { echo "no model $model" >&2; exit 1; }
    cases "$model"
done | sed "s|\$| $work|" >"$work/cases"
xargs -P "${SPIN_JOBS:-2}" -L 1 "$here/run.sh" --case <"$work/cases" | tee "$work/verdicts"
passed=$(grep -c ' ok: ' "$work/verdicts")
failed=$(($(wc -l <"$work/cases") - passed))
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
