#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# ecosystem.sh BUILD [PACKAGE...]: MPI libraries and programs of others, from Debian's source packages, built and run twice:
# by mpicc and mpifort as processes, by epcc and epfort with threads as ranks. One table of what their own tests say.
# A package is a file of this folder's packages/; docs/ecosystem.md says what is there.
# shellcheck disable=SC1091,SC2034,SC2048,SC2086 # lists are meant to be split; variables for what is included
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 1
ep=$(cd "$1" && pwd) || exit 1
shift
all="mct netcdf_fortran oasis espresso mumps scalapack yaxt"
work=${ECOSYSTEM_DIR:-$PWD/build-ecosystem} # sources and builds: kept, a second run builds nothing
out=$PWD/out/ecosystem
jobs=$(nproc)
mkdir -p "$work/logs" "$out" || exit 1
export PATH=$ep/tools/dropin:$ep/src/eprun:$PATH
unset EP_THREADS EP_THREADS_PER_PROCESS EP_MISSING MPIEXEC

. "$here/sources.sh"
. "$here/lib.sh"

for name in "$@"; do
    [ -f "$here/packages/$name.sh" ] || { echo "ecosystem: no package $name; there are: $all" >&2; exit 2; }
done
set -- ${*:-$all}
for name in "$@"; do (package "$name"); done
"$here/table.py" "$out/table.md" "${@/#/$out/}"
