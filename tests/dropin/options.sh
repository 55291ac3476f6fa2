#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# eprun's command line: what is wrong is said and ends with 2, what is right starts as many ranks as asked for.
# EPRUN and EPCC name the commands, MPIRUN the launcher of the MPI library (default: mpirun).
set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
unset EP_THREADS EP_MPIRUN
read -ra mpirun <<<"${MPIRUN:-mpirun}"

fail() {
    echo "options.sh: $*" >&2
    failed=1
}

"$EPCC" "$here/options/ranks.c" -o "$dir/ranks" || exit 1

# status, a pattern for stderr, arguments
wrong() {
    local status=$1 pattern=$2
    shift 2
    timeout 60 "$EPRUN" "$@" >"$dir/out" 2>"$dir/err" </dev/null
    local rc=$?
    [ $rc = "$status" ] || fail "eprun $*: status $rc instead of $status"
    grep -qE -e "$pattern" "$dir/err" || fail "eprun $*: stderr lacks '$pattern': $(head -n3 "$dir/err")"
    [ ! -s "$dir/out" ] || fail "eprun $*: something ran"
}

wrong 2 'no program'
wrong 2 'no program' -t 2 --
wrong 2 '--frob: no such option' --frob "$dir/ranks"
wrong 2 '-x: no such option' -x "$dir/ranks"
wrong 2 '--verbose=1: no such option' --verbose=1 "$dir/ranks"
wrong 2 '-n: its value is missing' -n
wrong 2 '-n 0: ' -n 0 "$dir/ranks"
wrong 2 '-np two: ' -np two "$dir/ranks"
wrong 2 '-n 3x: ' -n 3x "$dir/ranks"
wrong 2 '-t x: ' -t x "$dir/ranks"
wrong 2 '-t : ' -t '' "$dir/ranks"
wrong 2 '-t -1: ' -t -1 "$dir/ranks"
wrong 2 '-t 4,: ' -t 4, "$dir/ranks"
wrong 2 '-t 0,0: ' -t 0,0 "$dir/ranks"
wrong 2 '-t 99999999999: ' -t 99999999999 "$dir/ranks"
wrong 2 '-t: 2 numbers, but the job has 1 process$' -t 0,2 "$dir/ranks"
wrong 2 '-t: 3 numbers, but the job has 2 processes$' -n 2 -t 1,2,3 "$dir/ranks"
EP_THREADS=2,3 wrong 2 'EP_THREADS: 2 numbers, but the job has 1 process$' "$dir/ranks"
wrong 2 '-t 1000000000: each rank is a thread, .* at most \(' -t 1000000000 "$dir/ranks"
wrong 2 '-t 2000000000: each rank is a thread, .* at most \(' -n 2 -t 1,2000000000 "$dir/ranks"
wrong 2 '--bind best: ' --bind best "$dir/ranks"
wrong 2 '--bind 3-1: ' --bind=3-1 "$dir/ranks"
wrong 1 '--bind 8000: .* CPU 8000' --bind 8000 "$dir/ranks"
wrong 2 '--stack 1q: ' --stack 1q "$dir/ranks"
wrong 2 '--stack 1: ' --stack 1 "$dir/ranks"
wrong 2 '--stack 99999999999g: ' --stack 99999999999g "$dir/ranks"
wrong 127 'not found' no-such-program
wrong 127 'No such file' "$dir/none"
wrong 126 'Permission denied' "$here/options/ranks.c"
wrong 126 'directory' "$dir"
wrong 127 'no-such-launcher.*--mpirun' -n 2 --mpirun 'no-such-launcher -v' "$dir/ranks"
EP_THREADS=many wrong 2 'EP_THREADS many: ' "$dir/ranks"
EP_MPIRUN=no-such-launcher wrong 127 'no-such-launcher' -n 2 "$dir/ranks"

# Ranks per process, and what else is on the program's command line; then the command that gives it.
right() {
    local expected=$1
    shift
    timeout 60 "$@" >"$dir/out" 2>"$dir/err" </dev/null || fail "$*: status $?: $(head -n3 "$dir/err")"
    [ "$(cat "$dir/out")" = "$expected" ] || fail "$*: $(cat "$dir/out") instead of $expected"
}

right 1 "$EPRUN" "$dir/ranks"
right 3 env EP_THREADS=3 "$EPRUN" "$dir/ranks"
right 2 env EP_THREADS=3 "$EPRUN" -t2 "$dir/ranks"
right 2 env EP_THREADS=many "$EPRUN" -t 2 "$dir/ranks"
right '2 -t 3 --bind -- x' "$EPRUN" -t 2 --bind none -- "$dir/ranks" -t 3 --bind -- x
right '4 2' "$EPRUN" -n 2 -t 4,2 "$dir/ranks"
right '1 2 2' "$EPRUN" -np 3 -t 1,2 --stack=1m "$dir/ranks"
right 3 "$EPRUN" -n2 -t 0,3 "$dir/ranks"
right '1 1 -n 2' "$EPRUN" -n 2 "$dir/ranks" -n 2
right '3 3' "${mpirun[@]}" -n 2 "$EPRUN" -t 3 "$dir/ranks"
right '2 2' "${mpirun[@]}" -n 2 "$EPRUN" -n 2 -t 2 "$dir/ranks"
right '2 2' "$EPRUN" -n 2 --mpirun "${mpirun[*]}" -t 2 "$dir/ranks"
printf '#!/bin/sh\nexec "%s" -n 2 "%s"\n' "$EPRUN" "$dir/ranks" >"$dir/script"
chmod +x "$dir/script"
right '[1,0]<stdout>:2 2' "$EPRUN" -t 2 --tag-output "$dir/script" # also an eprun that starts mpirun has the options
right 2 env PATH="$dir:$PATH" "$EPRUN" -t 2 ranks
timeout 60 "${mpirun[@]}" -n 2 "$EPRUN" -n 3 "$dir/ranks" >"$dir/out" 2>&1 && fail "-n 3 passes with 2 processes"
grep -q -e '-n 3: .* 2 processes' "$dir/out" || fail "-n 3 with 2 processes: $(head -n1 "$dir/out")"
# One process that cannot start ends the others, which mpirun may leave waiting in MPI_Init for ever.
for program in "$dir/none" "$here/options/ranks.c"; do
    timeout 60 "${mpirun[@]}" -n 1 "$EPRUN" -t 2 "$dir/ranks" : -n 1 "$EPRUN" -t 2 "$program" >"$dir/out" 2>&1
    rc=$?
    [ $rc -gt 1 ] && [ $rc != 124 ] || fail "one of two processes cannot start $program: status $rc: $(head -n3 "$dir/out")"
    grep -q "^eprun: $program: " "$dir/out" || fail "one of two processes cannot start: $(head -n3 "$dir/out")"
done

[ "$("$EPRUN" --help | head -c 12)" = 'usage: eprun' ] || fail "--help"
for option in $("$EPRUN" --help | sed -n 's/^  \(-[^ ]*\) .*/\1/p'); do
    grep -qE "^\|.*\`$option( |\`)" "$here/../../docs/eprun.md" || fail "docs/eprun.md lacks $option"
    count=$((${count:-0} + 1))
done
[ "${count:-0}" -gt 10 ] || fail "--help lists too few options"
"$EPRUN" --version | grep -q '^eprun (ep) [0-9]' || fail "--version"
timeout 60 "$EPRUN" -t 2 --verbose "$dir/ranks" 2>&1 | grep -q 'rank 1: process 0 on .*, CPUs [0-9]' || fail "--verbose"
exit $failed
