#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# covers.sh NAMES c|fortran PROGRAM...: every entry point of ours (entries.lst) is called by one of the programs at
# least.
# With `c` the names that end in an underscore, Fortran's, are left out.
table=$1 language=$2
shift 2
called=$(nm -D --undefined-only "$@" | sed -n 's/^ *U \([A-Za-z0-9_]*\).*/\1/p' | sort -u)
missing=0
for name in $(cat "$table"); do
    case $language$name in c*_) continue ;; esac
    printf '%s\n' "$called" | grep -qx "$name" && continue
    echo "no program calls $name"
    missing=1
done
exit "$missing"
