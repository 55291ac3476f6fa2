#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Output of endpoints comes in whole lines, tagged where asked for, and to files of their own.
# EPRUN, EPCC and EPCXX name the commands, MPIRUN the launcher of the MPI library; without EPCXX it is epc++ beside epcc.
set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

fail() {
    echo "output.sh: $*" >&2
    failed=1
}

"$EPCC" -O2 -w "$here/output/print.c" -o "$dir/print" || exit 1
"${EPCXX:-${EPCC%cc}c++}" -O2 "$here/output/stream.cc" -o "$dir/stream" || exit 1

# All lines "rank line: ..." of so many ranks are there, whole, each rank's in order.
complete() { # what, file, ranks, rest of the line
    local expected
    expected=$(for r in $(seq 0 $(($3 - 1))); do for i in $(seq 0 199); do echo "$r $i: $4"; done; done)
    [ "$(sort -s -n -k1,1 "$2")" = "$expected" ] || fail "$1: lines are torn or missing"
}

rest='abcdefghij xyz u end'
for shape in '-t 6' '-n 2 -t 3' '-n 6 -t 1'; do
    for how in parts characters; do
        timeout 60 "$EPRUN" $shape "$dir/print" $how >"$dir/out" || fail "$how: status $?"
        complete "$how $shape" "$dir/out" 6 "$rest"
    done
    timeout 60 "$EPRUN" $shape "$dir/print" errors 2>"$dir/out" || fail "errors: status $?"
    complete "errors $shape" "$dir/out" 6 "$rest"
    timeout 60 "$EPRUN" $shape "$dir/stream" >"$dir/out" 2>"$dir/err" || fail "stream: status $?"
    complete "cout $shape" "$dir/out" 6 "$rest"
    complete "clog $shape" "$dir/err" 6 "$rest"
done

timeout 60 ${MPIRUN:-mpirun} -n 2 "$EPRUN" -t 3 "$dir/print" parts >"$dir/out" || fail "mpirun: status $?"
complete "mpirun" "$dir/out" 6 "$rest"

timeout 60 "$EPRUN" -t 4 --tag-output "$dir/print" parts >"$dir/tagged" || fail "tag: status $?"
sed -n 's/^\[1,\([0-3]\)\]<stdout>:\(\1 .*\)/\2/p' "$dir/tagged" >"$dir/out"
complete "tagged" "$dir/out" 4 "$rest"
[ "$(wc -l <"$dir/tagged")" = 800 ] || fail "tagged: $(wc -l <"$dir/tagged") lines"
timeout 60 "$EPRUN" -t 2 --tag-output "$dir/print" errors 2>&1 >"$dir/none" | grep -c '^\[1,[01]\]<stderr>:[01] ' >"$dir/out"
[ "$(cat "$dir/out")" = 400 ] || fail "tagged stderr: $(cat "$dir/out") lines"

# A slow reader, so that pieces are written in part.
timeout 60 "$EPRUN" -t 4 "$dir/print" long | (sleep 0.3; cat) >"$dir/out"
for r in 0 1 2 3; do
    text=$(printf "\\x$(printf %x $((97 + r)))")
    [ "$(grep -cE "^$r $text+\$" "$dir/out")" = 5 ] || fail "long lines of rank $r are torn"
done
[ "$(wc -c <"$dir/out")" = $((20 * 300003)) ] || fail "long lines: $(wc -c <"$dir/out") bytes"

timeout 60 "$EPRUN" -t 4 "$dir/print" files "$dir" >"$dir/out" || fail "files: status $?"
for r in 0 1 2 3; do
    grep -q "^before $r\$" "$dir/out" && grep -q "^left over $r\$" "$dir/out" || fail "files: rank $r lost its lines"
    [ "$(tail -n1 "$dir/out.$r")" = last ] && [ "$(grep -c "^$r .* end\$" "$dir/out.$r")" = 200 ] || fail "files: out.$r"
done

timeout 60 "$EPRUN" -t 4 "$dir/print" wide >"$dir/out" || fail "wide: status $?"
complete "wide" "$dir/out" 4 'ä€ end'

timeout 60 "$EPRUN" -t 3 "$dir/print" apart >"$dir/out" || fail "apart: status $?"
complete "apart" "$dir/out" 2 "$rest"

timeout 60 "$EPRUN" -t 2 "$dir/print" locked 2>"$dir/err" || fail "locked: status $?"
[ "$(grep -c '^print: No such file or directory$' "$dir/err")" = 2 ] || fail "locked: warn(NULL)"
grep -v '^print: ' "$dir/err" >"$dir/out"
complete "locked" "$dir/out" 2 "$rest"
sed -n '/No such/!s/^print: //p' "$dir/err" >"$dir/out"
complete "warnings" "$dir/out" 2 "$rest"

timeout 60 "$EPRUN" -t 3 "$dir/print" forks >"$dir/out" 2>"$dir/err" || fail "forks: status $?"
complete "forks" "$dir/out" 3 "$rest"
complete "children" "$dir/err" 3 child

mkfifo "$dir/fifo"
timeout 60 "$EPRUN" -t 2 "$dir/print" reading "$dir" || fail "reading: status $?"

timeout 60 "$EPRUN" -t 2 "$dir/print" failing "$dir" 2>"$dir/err"
rc=$?
[ $rc = 3 ] && [ "$(cat "$dir/failing")" = written ] || fail "failing: status $rc, file '$(cat "$dir/failing")'"

timeout 60 "$EPRUN" -t 4 "$dir/print" open >"$dir/out" || fail "open: status $?"
[ "$(sort "$dir/out")" = "$(printf 'end of %d\n' 0 1 2 3)" ] || fail "lines without an end run together"
[ "$(timeout 60 "$EPRUN" -t 1 "$dir/print" open | wc -l)" = 0 ] || fail "one endpoint: a newline was added"

{ timeout 60 "$EPRUN" -t 3 "$dir/print" complaints 2>"$dir/err"; } 2>/dev/null && fail "a failed assertion went unnoticed"
for text in 'perror: No such file or directory' 'print: warn x' 'a line of 2' '.*complaints: Assertion .rank == 0. failed.'; do
    grep -q "^$text" "$dir/err" || fail "stderr lacks '$text'"
done
timeout 60 "$EPRUN" -t 3 "$dir/print" parts >/dev/full 2>&1 || fail "a full device: status $?"
exit $failed
