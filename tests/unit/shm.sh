#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shm.sh PROGRAM LAUNCHER...: what is corrupt in memory that processes share is named, and the job ends by MPI.
program=$1
shift
failed=0
while read -r what text; do
    out=$(timeout 60 "$@" 2 "$program" "$what" 2>&1 </dev/null)
    status=$?
    [ $status = 77 ] && exit 77
    if [ $status = 0 ] || [ $status -ge 124 ] || ! echo "$out" | grep -q "ep: error: memory .* is corrupt: $text is [0-9]* (process 0)"; then
        echo "not ok: $what: status $status: $out"
        failed=1
    fi
done <<END
place the place of a descriptor
unaligned the place of a descriptor
source the source of a message
handler the handler of a message
address the address of a message
descriptor the length of a descriptor
returned the place of a descriptor
lines the number of a message's lines
length the length of a message
END
exit $failed
