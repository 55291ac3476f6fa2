# SPDX-License-Identifier: BSD-3-Clause
# Read by tests of projects, which get a folder to work in as their argument, or none: what is built by MPI's compilers and by
# ep's, from the same files, prints the same. EPCC, EPCXX, EPFORT, EPRUN, MPICC, MPICXX, MPIFORT and MPIRUN in the environment name
# the commands.
EPCC=${EPCC:-epcc} EPCXX=${EPCXX:-epc++} EPFORT=${EPFORT:-epfort} EPRUN=${EPRUN:-eprun}
MPICC=${MPICC:-mpicc} MPICXX=${MPICXX:-mpicxx} MPIFORT=${MPIFORT:-mpifort} MPIRUN=${MPIRUN:-mpirun}
here=$(cd "$(dirname "$0")/projects" && pwd)
if [ $# -gt 0 ]; then
    mkdir -p "$1"
    work=$(cd "$1" && pwd)
    rm -rf "${work:?}"/*
else
    work=$(mktemp -d) || exit 1
    trap 'rm -rf "$work"' EXIT
fi
failed=0

fail() {
    echo "not ok: $*"
    failed=1
}

# builds mpi|ep NAME COMMAND...: the command in a folder of its own with the compilers of MPI or of ep.
builds() {
    kind=$1 name=$2
    shift 2
    mkdir -p "$work/$name-$kind"
    (
        cd "$work/$name-$kind" || exit
        export CC="$EPCC" CXX="$EPCXX" FC="$EPFORT" F77="$EPFORT"
        [ $kind = ep ] || CC=$MPICC CXX=$MPICXX FC=$MPIFORT F77=$MPIFORT
        "$@"
    ) >"$work/$name-$kind.log" 2>&1 || {
        fail "$name with $kind"
        tail -20 "$work/$name-$kind.log"
        return 1
    }
}

# in_both NAME COMMAND...
in_both() {
    name=$1
    shift
    builds mpi "$name" "$@" && builds ep "$name" "$@" && echo "ok: $name builds"
}

# same NAME PROGRAM [ARGUMENT...]: what the program prints does not depend on what its ranks are. It is compared with what MPI's
# compilers have made of $model, or of the same.
same() {
    name=$1 program=$2
    shift 2
    timeout 60 $MPIRUN -n 4 "$work/${model:-$name}-mpi/$program" "$@" >"$work/$name.mpi" 2>&1 || fail "$name: $program with MPI"
    for layout in 1x4 2x2 4x1; do
        timeout 60 $EPRUN -n ${layout%x*} -t ${layout#*x} "$work/$name-ep/$program" "$@" >"$work/$name.ep" 2>&1 ||
            fail "$name: $program $layout: status $?"
        if cmp -s "$work/$name.mpi" "$work/$name.ep"; then
            echo "ok: $name: $program $layout"
        else
            fail "$name: $program $layout"
            diff "$work/$name.mpi" "$work/$name.ep"
        fi
    done
}
