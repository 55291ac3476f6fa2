#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# same.sh PROCESSES_PROGRAM THREADS_PROGRAM LAUNCHER...: 8 ranks give the same as processes and as endpoints.
set -u
processes=$1 threads=$2
shift 2
failed=0
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

"$@" 8 "$processes" >"$tmp/wanted" || failed=1
[ "$(grep -c rank "$tmp/wanted")" = 32 ] || failed=1
for layout in "1 8" "2 4" "4 2" "8 1"; do
    EP_TEST_T=${layout#* } "$@" "${layout% *}" "$threads" >"$tmp/got" || failed=1
    if diff "$tmp/wanted" "$tmp/got"; then
        echo "same:   $layout"
    else
        echo "differs: $layout"
        failed=1
    fi
done
exit $failed
