#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# abort.sh PROGRAM MPIRUN ARGUMENT...: MPI_Abort ends the job with its status.
program=$1
shift
failed=0
for kind in endpoints classic; do
    EP_TEST_T=2 "$@" 2 "$program" $kind >/dev/null 2>&1
    status=$?
    if [ $status = 7 ]; then
        echo "ok      $kind"
    else
        echo "not ok  $kind: status $status"
        failed=1
    fi
done
exit $failed
