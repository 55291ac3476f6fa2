#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# wrapper_fortran.sh: epfort takes what makefiles and scripts give to mpifort, and refuses with a reason what it cannot do.
# EPFORT, EPCC, EPCXX, EPRUN, MPIFORT and MPICC in the environment name the commands.
set -u
EPFORT=${EPFORT:-epfort} EPCC=${EPCC:-epcc} EPCXX=${EPCXX:-epc++} EPRUN=${EPRUN:-eprun}
MPIFORT=${MPIFORT:-mpifort} MPICC=${MPICC:-mpicc}
. "${0%/*}/checks.sh"

cat >fixed.f <<'END'
C     The oldest kind.
      PROGRAM HELLO
      INCLUDE 'mpif.h'
      INTEGER IERR
      CALL MPI_INIT(IERR)
      CALL GREET
      CALL MPI_FINALIZE(IERR)
      END
      SUBROUTINE GREET
      INCLUDE 'mpif.h'
      INTEGER RANK, N, IERR
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERR)
      CALL MPI_COMM_SIZE(MPI_COMM_WORLD, N, IERR)
      PRINT '(A,I0,A,I0)', 'rank ', RANK, ' of ', N
      END
END
cat >mpi.f90 <<'END'
program hello
  use mpi
  implicit none
  integer, save :: rank = -1
  integer :: size, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  print '(a,i0,a,i0)', 'rank ', rank, ' of ', size
  call MPI_Finalize(ierr)
end program
END
cat >f08.F90 <<'END'
#ifndef GREETING
#define GREETING 'rank '
#endif
program hello
  use mpi_f08
  implicit none
  integer :: rank, size
  type(MPI_Comm) :: world
  call MPI_Init()
  call MPI_Comm_dup(MPI_COMM_WORLD, world)
  call MPI_Comm_rank(world, rank)
  call MPI_Comm_size(world, size)
  print '(a,i0,a,i0)', GREETING, rank, ' of ', size
  call MPI_Comm_free(world)
  call MPI_Finalize()
end program
END
# A main program, a module, and a part in C.
cat >module.f90 <<'END'
module greeting
  implicit none
  integer :: calls = 0
contains
  subroutine greet(comm)
    use mpi
    integer, intent(in) :: comm
    integer :: rank, size, ierr
    calls = calls + 1
    call MPI_Comm_rank(comm, rank, ierr)
    call MPI_Comm_size(comm, size, ierr)
    if (calls == 1) print '(a,i0,a,i0)', 'rank ', rank, ' of ', size
  end subroutine
end module
END
cat >uses.f90 <<'END'
program uses
  use greeting
  use mpi
  integer :: ierr
  call MPI_Init(ierr)
  call greet(MPI_COMM_WORLD)
  call finish()
end program
END
cat >finish.c <<'END'
#include <mpi.h>
void finish_(void);
void finish_(void) { MPI_Finalize(); }
END
# main in C, the work in Fortran; and a file that calls MPI's functions of Fortran from C.
cat >main.c <<'END'
#include <mpi.h>
#ifdef __cplusplus
extern "C"
#endif
void work_(MPI_Fint *comm);
int main(int argc, char **argv)
{
    MPI_Fint world;
    MPI_Init(&argc, &argv);
    world = MPI_Comm_c2f(MPI_COMM_WORLD);
    work_(&world);
    return MPI_Finalize();
}
END
cp main.c main.cc
cat >work.f90 <<'END'
subroutine work(comm)
  use mpi
  integer :: comm, rank, size, ierr
  call MPI_Comm_rank(comm, rank, ierr)
  call MPI_Comm_size(comm, size, ierr)
  if (comm == MPI_COMM_WORLD) print '(a,i0,a,i0)', 'rank ', rank, ' of ', size
end subroutine
END
cat >begin.c <<'END'
void mpi_init_(int *ierr);
void mpi_finalize_(int *ierr);
void greet_(void);
int main(void)
{
    int ierr;
    mpi_init_(&ierr);
    greet_();
    mpi_finalize_(&ierr);
    return ierr;
}
END
sed -n '/SUBROUTINE/,$p' fixed.f >greet.f

# ---- As a compiler
for source in fixed.f mpi.f90 f08.F90; do
    works "$source" $EPFORT -O2 $source -o program && runs "$source" ./program
    works "-c $source" $EPFORT -Wall -c $source && works "its object" $EPFORT ${source%.*}.o && runs "it" ./a.out
done
# A main program that calls a part of each kind of source.
sed '/call MPI_Init/q' mpi.f90 >suffix.f90
for suffix in for ftn FOR FTN F fpp FPP; do
    printf '%s\n' "      SUBROUTINE OF$suffix" "      INCLUDE 'mpif.h'" "      IF (MPI_COMM_WORLD .EQ. 0) STOP 1" "      END" >of_$suffix.$suffix
done
for suffix in f95 f03 f08 F90 F95 F03 F08; do
    printf '%s\n' "subroutine of$suffix; use mpi; implicit none" "if (MPI_COMM_WORLD == 0) stop 1" "end subroutine" >of_$suffix.$suffix
done
for suffix in for ftn fpp f95 f03 f08 F90; do echo "  call of$suffix" >>suffix.f90; done
sed '1,/call MPI_Init/d' mpi.f90 >>suffix.f90
works "all suffixes" $EPFORT suffix.f90 of_for.for of_ftn.ftn of_fpp.fpp of_f95.f95 of_f03.f03 of_f08.f08 of_F90.F90 -o suffix
runs "all suffixes" ./suffix
works "suffixes in capitals" $EPFORT -c of_FOR.FOR of_FTN.FTN of_F.F of_FPP.FPP of_F95.F95 of_F03.F03 of_F08.F08
works "their objects" sh -c 'for f in of_[F]*.o; do readelf -W -s $f | grep -q " ABS *ep_object" || exit; done'
for name in epf77 epf90; do
    works "$name" "${EPFORT%/*}/$name" fixed.f -o other && runs "$name" ./other
done
works "-D" $EPFORT "-DGREETING='rank '" f08.F90 -o defined && runs "-D" ./defined
works "several sources" $EPFORT module.f90 uses.f90 finish.c -o several && runs "Fortran and C" ./several
mkdir -p modules && rm -f greeting.mod
works "-J" $EPFORT -J modules -c module.f90 && works "its module" test -f modules/greeting.mod
works "-I" $EPFORT -Imodules -c uses.f90 && $EPCC -c finish.c
works "objects" $EPFORT uses.o module.o finish.o -o objects && runs "objects" ./objects
ar rcs libgreeting.a module.o finish.o
works "an archive" $EPFORT uses.o -L. -lgreeting -o archive && runs "an archive" ./archive
ar rcs libmain.a mpi.o
works "main in an archive" $EPFORT -L. -lmain -o archive && runs "main in an archive" ./archive
$EPFORT -c work.f90 && $EPCC -c main.c && $EPCXX -c main.cc -o main++.o
works "main in C" $EPFORT main.o work.o -o mixed && runs "main in C" ./mixed
works "linked by epcc" $EPCC main.o work.o -lgfortran -lm -o mixed && runs "linked by epcc" ./mixed
works "main in C++" $EPCXX main++.o work.o -lgfortran -o mixed && runs "main in C++" ./mixed
works "linked by epfort" $EPFORT main++.o work.o -lstdc++ -o mixed && runs "linked by epfort" ./mixed
works "Fortran's MPI from C" $EPCC begin.c greet.f -lgfortran -o begin && runs "Fortran's MPI from C" ./begin
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    works "an object by $compiler" env EP_CC=$compiler $EPCC -c begin.c && works "linked" $EPFORT begin.o greet.f -o begin
    runs "an object by $compiler" ./begin
done
works "-shared" $EPFORT -shared module.f90 finish.c -o libgreeting.so
works "its mark" sh -c 'nm -D libgreeting.so | grep -q ep_image_mark'
works "its own functions of MPI" sh -c '! nm -D libgreeting.so | grep -i "mpi_comm_rank_"'
works "a program with it" $EPFORT uses.o -L. -l:libgreeting.so "-Wl,-rpath,$PWD" -o shared && runs "with -shared" ./shared
works "-flto" $EPFORT -O2 -flto module.f90 uses.f90 finish.c -o lto && runs "-flto" ./lto
mkdir of_lto && (cd of_lto && $EPFORT -flto -c ../module.f90 ../uses.f90 ../finish.c)
works "objects of -flto" $EPFORT -flto of_lto/uses.o of_lto/module.o of_lto/finish.o -o lto && runs "objects of -flto" ./lto
works "-S" $EPFORT -S mpi.f90 && works "assembler" $EPFORT mpi.s -o assembler && runs "assembler" ./assembler
works "standard input" sh -c "$EPFORT -x f95 - -o input <mpi.f90" && runs "standard input" ./input
works "-x f77 for all" $EPFORT -x f77 fixed.f -o language && runs "-x f77" ./language
works "-E" sh -c "$EPFORT -E f08.F90 | grep -q \"print.*'rank '\""
works "-fopenmp" $EPFORT -fopenmp mpi.f90 -o openmp && runs "-fopenmp" ./openmp
works "-fsyntax-only" $EPFORT -fsyntax-only mpi.f90
works "options of executables" $EPFORT -fPIE -pie -no-pie -rdynamic -static-libgcc -static-libgfortran -static-libquadmath \
    mpi.f90 -o pie -lc -lgfortran -lquadmath -lm && runs "options of executables" ./pie
works "-g -O0 with checks" $EPFORT -g -O0 -Wall -Wextra -fcheck=all -fbacktrace -ffpe-trap=invalid -std=f2018 mpi.f90 -o checked
runs "-fcheck=all" ./checked
works "the compiler's standard output" sh -c "$EPFORT -fdump-fortran-original mpi.f90 | grep -q code:"
works "no more of it" sh -c "[ \"\$($EPFORT mpi.o | wc -c)\" = 0 ]"
works "no input: --version" $EPFORT --version
works "no input: -dumpversion" $EPFORT -dumpversion
works "no input: -v" $EPFORT -v
fails "no input" "no input files" $EPFORT
works "a directory with another mpif.h and modules" $EPFORT $($MPIFORT -show | tr ' ' '\n' | grep '^-I') f08.F90 && runs "it" ./a.out

# ---- What is printed
works "--show" sh -c "$EPFORT --show mpi.f90 -o 'a b' | grep -q \"mpi.f90 -o 'a b'\""
works "--show runs nothing" test ! -f 'a b'
$EPFORT --show mpi.f90 -o shown >shown.sh
works "--show can be run" sh shown.sh && runs "--show" ./shown
for part in -showme:compile -compile_info -showme:incdirs; do
    works "$part" sh -c "for d in \$($EPFORT $part); do test -f \${d#-I}/mpi_f08.mod && exit; done; exit 1"
done
works "the flags make objects" sh -c "gfortran \$($EPFORT -showme:compile) -c work.f90" && works "that are epfort's" $EPFORT main.o work.o
for part in -showme:link -link_info --showme:libs; do
    works "$part" sh -c "$EPFORT $part | grep -q 'ep_fortran.* .*ep '"
done

# ---- What is linked must be epfort's
for source in fixed.f mpi.f90; do
    $MPIFORT -fPIC -c $source -o plain.o
    fails "$source by mpifort" "plain.o (mpi_comm_rank_, .*mpi_init_)$" $EPFORT plain.o -o plain
    works "no output then" test ! -e plain
    fails "the same by epcc" "plain.o (mpi_comm_rank_, .*mpi_init_)$" $EPCC plain.o -lgfortran -o plain
done
$MPIFORT -fPIC -c f08.F90 -o plain.o
fails "mpi_f08 by mpifort" "plain.o (mpi_comm_dup_f08_, .*mpi_init_f08_)$" $EPFORT plain.o -o plain
fails "the advice" "compile with epfort" $EPFORT plain.o -o plain
cat >headless.f90 <<'END'
subroutine finish
  call mpi_finalize(ierr)
end subroutine
END
gfortran -fPIC -c headless.f90
fails "a function of MPI called without a header" "headless.o (mpi_finalize_)$" $EPFORT module.o uses.o headless.o -o plain
works "the same by epfort" $EPFORT module.o uses.o headless.f90 -o headless && runs "it" ./headless
ar rcs libplain.a headless.o
fails "a member of an archive" "libplain.a(headless.o) (mpi_finalize_)$" $EPFORT module.o uses.o -L. -lplain -o plain
works "one that is not used" $EPFORT mpi.o -L. -lplain -o unused && runs "with one that is not used" ./unused
fails "in a shared library" "libplain.so would .* headless.o (mpi_finalize_)" $EPFORT -shared headless.o -o libplain.so
# Linkers differ in how they name members of archives. Thin ones have names of files alone.
mkdir -p 'in (a) folder' && cp headless.o 'in (a) folder/headless(1).o' && cp finish.o 'in (a) folder'
(cd 'in (a) folder' && ar rcs 'libplain (a).a' 'headless(1).o' && ar rcsT libthin.a 'headless(1).o' && ar rcsT libgood.a finish.o)
for linker in bfd gold lld; do
    command -v ld.$linker >/dev/null || continue
    with="$EPFORT -fuse-ld=$linker module.o uses.o"
    fails "with $linker" "libplain.a(headless.o) (mpi_finalize_)$" $with -L. -lplain -o plain
    fails "odd names with $linker" "/libplain (a).a(headless(1).o) (mpi_finalize_)$" $with "in (a) folder/libplain (a).a" -o plain
    fails "a thin archive with $linker" "in (a) folder/headless(1).o (mpi_finalize_)$" $with "in (a) folder/libthin.a" -o plain
    works "epfort's with $linker" $with "in (a) folder/libgood.a" -o linker && runs "$linker" ./linker
done
# More names than a command may have.
long=$(printf '%0200d/%0200d/%0200d/%0200d' 1 2 3 4)
mkdir -p "$long" && printf 'subroutine nothing\nend\n' >nothing.f90 && $EPFORT -c nothing.f90
for i in $(seq 170); do ln nothing.o "$long/$i.o"; done
fails "many names" "^epfort: plain would .* headless.o (mpi_finalize_)$" \
    $EPFORT module.o uses.o headless.o -Wl,--allow-multiple-definition "$long"/*.o -o plain
gfortran -flto -fPIC -c headless.f90
fails "of -flto" "headless.o (mpi_finalize_)$" $EPFORT -flto module.o uses.o headless.o -o plain
rm libplain.a && gcc-ar rcs libplain.a headless.o
fails "of -flto in an archive" "libplain.a(headless.o) (mpi_finalize_)$" $EPFORT -flto module.o uses.o -L. -lplain -o plain
${CC:-cc} -fPIC -c begin.c
fails "in C, by a plain compiler" "begin.o (mpi_finalize_, mpi_init_)$" $EPFORT begin.o greet.f -o plain
printf 'subroutine quiet\nprint *, 1\nend\n' >quiet.f90
gfortran -fPIC -c quiet.f90
works "Fortran without MPI, by a plain compiler" $EPFORT mpi.o quiet.o -o quiet && runs "it" ./quiet
strip --strip-debug -o stripped.o mpi.o
works "an object without what debuggers need" $EPFORT stripped.o -o stripped && runs "it" ./stripped

# ---- What ep has not, or not by this name
printf 'use mpi\ninteger f, e\ncall MPI_Init(e)\ncall MPI_File_open(MPI_COMM_WORLD, "f", 0, MPI_INFO_NULL, f, e)\nend\n' >lacks.f90
fails "what ep lacks" "epfort: ep has no MPI_File_open (files), and the program can reach a call of it" $EPFORT lacks.f90
sed 's/use mpi/use mpi_f08/; s/integer f/type(MPI_File) f\ninteger/' lacks.f90 | sed 's/integer, e/integer e/' >lacks_f08.f90
fails "the same in mpi_f08" "epfort: ep has no MPI_File_open (files), and" $EPFORT lacks_f08.f90
works "--missing=run" $EPFORT --missing=run lacks.f90 -o lacks
fails "its call" "MPI_File_open" $EPRUN -t 1 ./lacks
$MPIFORT -fPIC -c lacks.f90 -o plain.o
fails "of another MPI, with --missing=run" "plain.o (mpi_file_open_, mpi_init_)$" $EPFORT --missing=run plain.o -o plain
printf 'subroutine part\ncall mpi_file_sync(0, i)\nend\n' >part.f90
gfortran -fPIC -c part.f90 && $EPCC -c -x c - -o part_main.o <<'END'
void part_(void);
int main(void) { part_(); return 0; }
END
fails "nothing but what ep lacks" "part.o (mpi_file_sync_)$" $EPFORT --missing=run part_main.o part.o -o plain
printf 'subroutine dead\nuse mpi\ncall MPI_File_close(f, i)\nend\n' | sed 's/use mpi/use mpi\ninteger f, i/' >dead.f90
works "what ep lacks, not reached" $EPFORT -Wall dead.f90 mpi.o -o dead && runs "it" ./dead
fails "-fsecond-underscore" "mpi_init__: in ep it has one underscore" $EPFORT -fsecond-underscore fixed.f
fails "-fno-underscoring" "mpi_init: in ep it has one underscore" $EPFORT -fno-underscoring fixed.f
fails "-static" "without this option" $EPFORT -static mpi.f90
fails "no main" "main" $EPFORT module.o

# ---- Integers of another size, wrong kinds: errors where they are compiled
fails "mpif.h and -fdefault-integer-8" "Division by zero" $EPFORT -fdefault-integer-8 -c fixed.f
fails "mpi and -fdefault-integer-8" "no specific subroutine" $EPFORT -fdefault-integer-8 -c mpi.f90
fails "mpi_f08 and -fdefault-integer-8" "no specific subroutine" $EPFORT -fdefault-integer-8 -c f08.F90

sed 's/CALL GREET/IF (MPI_WTICK() .LT. 1D-12 .OR. MPI_WTICK() .GT. 1D0) STOP 1\n      &/' fixed.f >tick.f
works "MPI_WTICK and -fdefault-real-8" $EPFORT -fdefault-real-8 tick.f -o tick && runs "it" ./tick

# ---- Libraries of the MPI underneath
$MPIFORT -shared -fPIC work.f90 -o libwork.so
fails "a library of the MPI underneath" "know ep's handles: libwork.so$" $EPFORT main.o -L. -l:libwork.so -o plain
fails "the same by epcc" "know ep's handles: libwork.so$" $EPCC main.o -L. -l:libwork.so -o plain
gfortran -shared -fPIC headless.f90 -o libheadless.so
fails "one that does not say so" "know ep's handles: libheadless.so$" $EPFORT module.o uses.o -L. -l:libheadless.so -o plain
printf '#include <mpi.h>\nvoid finish_(void);\nvoid finish_(void) { MPI_Finalize(); }\n' >silent.c
${CC:-cc} -shared -fPIC $($MPICC -show | tr ' ' '\n' | grep '^-I') silent.c -o libsilent.so
fails "the same in C" "know ep's handles: libsilent.so$" $EPFORT module.o uses.o -L. -l:libsilent.so -o plain
fortran_library=
for part in $($MPIFORT -show); do
    case $part in -lmpi_mpifh | -lmpichfort | -lmpifort) fortran_library=$part ;; esac
done
fails "MPI's own library for Fortran" "past ep, from Fortran: .*mpi_init_" $EPFORT mpi.o \
    $($MPIFORT -show | tr ' ' '\n' | grep '^-L') $fortran_library -o plain
# Of the distribution, where they are there.
for library in scalapack-openmpi scalapack-mpich netcdf_mpi pnetcdf hdf5_openmpi petsc_real petsc; do
    file=$(ldconfig -p | sed -n "s/.*lib$library\.so[^ ]* .* => //p" | head -1)
    [ "$file" ] || continue
    fails "lib$library" "know ep's handles: .*lib$library" $EPFORT mpi.o -Wl,--no-as-needed "$file" -o plain
    fails "lib$library by epcc" "know ep's handles: .*lib$library" $EPCC main.o work.o -lgfortran -Wl,--no-as-needed "$file" -o plain
done

# ---- Other compilers
export XDG_CACHE_HOME="$PWD/cache"
cat >nothing <<'END'
#!/bin/sh
[ "$*" != --version ] || echo "Nothing 1.0"
echo "this is nothing"
exit 1
END
chmod +x nothing
fails "a compiler that is none" "no_such_compiler: there is no compiler of this name" $EPFORT -fc=no_such_compiler mpi.f90
for time in first second; do
    fails "a compiler that cannot, $time time" "nothing does not compile ep's module mpi_f08" $EPFORT -fc=./nothing mpi.f90
done
# others NAME COMMAND...: what that compiler makes of the three, at the same time at first
others() {
    name=$1
    shift
    for source in fixed.f mpi.f90 f08.F90; do
        $EPFORT -fc="$name" $source -o "other-${source%.*}" >"$source.log" 2>&1 &
    done
    wait
    for source in fixed.f mpi.f90 f08.F90; do
        cp $source.log log
        runs "$source by $name" "./other-${source%.*}"
        works "-c by $name" env EP_FC="$name" $EPFORT -c $source && works "its object" $EPFORT -fc="$name" ${source%.*}.o && runs "it" ./a.out
    done
}
for compiler in gfortran-11 gfortran-13 flang-new-19 flang-20 flang-22; do
    ! command -v $compiler >/dev/null || others $compiler
done
exit $failed
