#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hangs.sh TEST COMMAND...: the command fails, and its watchdog says that the test hangs.
name=$1
shift
out=$("$@" 2>&1) && { echo "it passed"; exit 1; }
case $out in *"HANG: test $name"*) exit 0 ;; esac
echo "$out"
exit 1
