# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2034,SC2046,SC2086,SC2154 # variables of and for lib.sh; lists are meant to be split
# OASIS3-MCT couples two programs (Fortran 90, mpif.h): MCT, interpolation by SCRIP, restarts and output by netCDF-Fortran (the one that the
# suite has built, or the machine's). Its test of interpolation: model1 sends an analytical field from an ocean's grid, model2 receives
# it on an atmosphere's (their grids are named in a NAMELIST), and prints how far it is from the exact one.
source_package=oasis3

# configuration: what a site writes for OASIS.
configuration() {
    cat <<END
CHAN = MPI1
COUPLE = $PWD
ARCHDIR = $PWD/arch
MAKE = make
F90 = $FC -fallow-argument-mismatch
F = \$(F90)
f90 = \$(F90)
f = \$(F90)
CC = $CC
LD = $FC
AR = ar
ARFLAGS = -ruv
CPPDEF = -Duse_netCDF -Duse_comm_\$(CHAN) -D__VERBOSE -DTREAT_OVERLAY
FLIBS = -L$netcdf/lib -Wl,-rpath,$netcdf/lib -lnetcdff -lnetcdf
BINDIR = \$(ARCHDIR)/bin
LIBBUILD = \$(ARCHDIR)/build/lib
INCPSMILE = -I\$(LIBBUILD)/psmile.\$(CHAN) -I\$(LIBBUILD)/mct -I$netcdf/include
F90FLAGS = -O1 \$(INCPSMILE) \$(CPPDEF)
f90FLAGS = \$(F90FLAGS)
FFLAGS = \$(F90FLAGS)
fFLAGS = \$(F90FLAGS)
CCFLAGS = -O1 \$(INCPSMILE) \$(CPPDEF)
END
}

build() {
    local netcdf=$work/netcdf_fortran/$flavour/install
    [ -d "$netcdf" ] || { echo "needs netcdf_fortran"; return 1; }
    cp -r "$source/." . && configuration >util/make_dir/make.inc || return
    if ! make -C examples/test_interpolation; then tail -n 40 util/make_dir/COMP.log util/make_dir/COMP.err; return 1; fi
}

# pair: both programs. Of endpoints each process has those of one program. The second one has one rank: with more it gives MPI_Gather
# pointers without a target, and gfortran's code for that crashes with any MPI.
pair() {
    case $place in
        processes) timeout -k 5 200 mpirun -n 4 ./model1 : -n 1 ./model2 ;;
        1x4) timeout -k 5 200 mpirun -n 1 eprun -t 4 ./model1 : -n 1 eprun -t 1 ./model2 ;;
        2x2) timeout -k 5 200 mpirun -n 2 eprun -t 2 ./model1 : -n 1 eprun -t 1 ./model2 ;;
    esac
}

# own_files: what each rank has written into its own file, by name its rank, to the end.
own_files() {
    local rank file
    for rank in 0 1 2 3 4; do
        file=$(echo "$1"/model?.out_10$rank)
        grep -qE "rank : +$rank\$" "$file" && [ "$(grep -c 'End of the program' "$file")" = 1 ] || return
    done
}

tests() {
    local run=run-$place
    unset EP_THREADS_PER_PROCESS
    rm -rf "$run" && cp -r examples/test_interpolation/data_oasis3 "$run" &&
        cp examples/test_interpolation/model[12] "$run" || return
    (cd "$run" && check programs pair)
    grep -hE -A 1 '(Min|Max) and its|Error mean' "$run"/model2.out_* | tee "$run/errors"
    [ "$place" != processes ] || cp "$run/errors" ../errors
    check interpolation same_lines ../errors "$run/errors"
    check own_files own_files "$run"
}

same_lines() { [ -s "$1" ] && diff "$1" "$2"; }
