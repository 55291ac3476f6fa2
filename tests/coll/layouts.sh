#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# layouts.sh PROGRAM LAUNCHER...: 8 endpoints in several layouts, and 12, give the same bits.
set -u
program=$1
shift
failed=0

# same WANTED PROCESSES ENDPOINTS LAUNCHER...
same() {
    wanted=$1 processes=$2 endpoints=$3
    shift 3
    got=$(CK_RUN_CASE=hashed EP_TEST_T=$endpoints "$@" "$processes" "$program" | grep '^hash')
    echo "${processes}x$endpoints: $got"
    [ -n "$got" ] && { [ -z "$wanted" ] || [ "$got" = "$wanted" ]; } || failed=1
}

same "" 1 8 "$@"
eight=$got
for layout in "2 4" "4 2" "8 1" "3 3,1,4"; do
    same "$eight" ${layout% *} ${layout#* } "$@"
done
same "" 1 12 "$@"
twelve=$got
for layout in "3 4" "2 5,7"; do
    same "$twelve" ${layout% *} ${layout#* } "$@"
done
exit $failed
