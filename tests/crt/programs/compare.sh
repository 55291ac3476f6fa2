#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# compare.sh SOURCE PROGRAM [RUNNER...]: the program's output with 1, 2 and 4 threads (EP_TEST_THREADS) must be the
# same in thread mode, where libgomp does all, and in task mode (EP_TEST_WAYS): plain, with random suspensions, and
# with tasks started early or late. A line "env: NAME=VALUE ..." in the source says what its environment needs.
# RUNNER: what task mode is run under.
source=$1 program=$2
shift 2
wanted=$(sed -n 's/^.*env: \([^*]*[^* ]\).*$/\1/p' "$source")
failed=0

# run SECONDS NAME=VALUE...: one run. Nothing here waits for anything that may not come: a run that takes
# long hangs.
run() {
    seconds=$1
    shift
    # shellcheck disable=SC2086 # several words
    timeout "$seconds" env $wanted OMP_NUM_THREADS="$threads" OMP_WAIT_POLICY=passive "$@"
    echo "exit status $?"
}

for threads in ${EP_TEST_THREADS:-1 2 4}; do
    # The thread sanitizer does not see what libgomp synchronises.
    expected=$(run 60 OMP_EXTERNAL=thread TSAN_OPTIONS="${TSAN_OPTIONS-}:report_bugs=0" "$program")
    case $expected in
        *"exit status 0") ;;
        *) printf '%s threads, thread mode:\n%s\n' "$threads" "$expected" && exit 1 ;;
    esac
    for way in ${EP_TEST_WAYS:-CRT_CHAOS=0 CRT_CHAOS=1 CRT_CHAOS=2 CRT_THROTTLE=0 CRT_THROTTLE=1000000}; do
        got=$(run 120 OMP_EXTERNAL=task "$way" "$@" "$program")
        [ "$got" = "$expected" ] && continue
        printf '%s threads, %s: expected\n%s\nbut got\n%s\n' "$threads" "$way" "$expected" "$got"
        failed=1
    done
done
exit "$failed"
