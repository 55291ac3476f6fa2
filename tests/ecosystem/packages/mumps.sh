# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2034,SC2046,SC2086,SC2154 # variables of and for lib.sh; lists are meant to be split
# MUMPS (Fortran 90 and C, mpif.h): sparse systems of equations by messages that come when they come (MPI_Pack, MPI_Iprobe, MPI_Bsend), over
# the machine's LAPACK. Its examples in double precision, in Fortran and C, with and without factors that are saved to files and read
# again. ScaLAPACK is for dense fronts that these do not have: what the link needs of it are MUMPS's own placeholders.

configuration() {
    cat <<END
LPORDDIR = \$(topdir)/PORD/lib/
IPORD = -I\$(topdir)/PORD/include/
LPORD = -L\$(LPORDDIR) -lpord
ORDERINGSF = -Dpord
ORDERINGSC = \$(ORDERINGSF)
LORDERINGS = \$(LPORD)
IORDERINGSC = \$(IPORD)
LIBEXT = .a
LIBEXT_SHARED = .so
FPIC_OPT = -fPIC
VERSION = 5.5.1
SOVERSION = 5.5
OUTC = -o 
OUTF = -o 
RM = /bin/rm -f
CC = $CC
FC = $FC
FL = $FC
AR = ar vr 
RANLIB = ranlib
LIBS = $PWD/placeholders.o -llapack
LIBBLAS = -lblas
LIBOTHERS = -lpthread
CDEFS = -DAdd_
OPTF = -O1 -fallow-argument-mismatch
OPTC = -O1 -I.
OPTL = -O1
END
}

build() {
    cp -r "$source/." . && configuration >Makefile.inc && sed -n '/SUBROUTINE blacs_gridinit/,$p' libseq/mpi.f >placeholders.f &&
        $FC -fPIC -c placeholders.f && make -j "$jobs" d
}

# solution NUMBER...: what is read ends in them.
solution() {
    tr -d '(:)' | awk -v want="$*" '/Solution is/ { $1 = $2 = ""; sum = "" } { sum = sum " " $0 }
        END {
            n = split(want, w, " "); got = split(sum, g, " ")
            for (i = 1; i <= n; i++) if (g[i] - w[i] > 1e-6 || w[i] - g[i] > 1e-6) exit 1
            exit got < n
        }'
}

# solves TEST PROGRAM INPUT NUMBER...
solves() {
    if ! ranks 4 "./$2" <"$3" >"$place-$1.txt"; then result "$1" failed "does not end well"; return; fi
    cat "$place-$1.txt"
    check "$1" solution "${@:4}" <"$place-$1.txt"
}

tests() {
    cd examples || return
    export LD_LIBRARY_PATH=$PWD/../lib
    solves simpletest dsimpletest input_simpletest_real 1 2 3 4 5
    solves c_example c_example /dev/null 1 2
    solves save_restore dsimpletest_save_restore input_simpletest_real 1 2 3 4 5
    solves c_save_restore c_example_save_restore /dev/null 1 2
}
