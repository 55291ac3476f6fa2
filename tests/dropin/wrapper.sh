#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# wrapper.sh: epcc takes what makefiles and scripts give to mpicc, and refuses with a reason what it cannot do.
# EPCC, EPCXX, EPRUN and MPICC in the environment name the commands.
set -u
EPCC=${EPCC:-epcc} EPCXX=${EPCXX:-epc++} EPRUN=${EPRUN:-eprun} MPICC=${MPICC:-mpicc}
. "${0%/*}/checks.sh"

cat >hello.c <<'END'
#include <mpi.h>
#include <stdio.h>
static MPI_Comm world = MPI_COMM_WORLD;
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    printf("rank %d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
END
cat >hello.cc <<'END'
#include <iostream>
#include <mpi.h>
struct Greeting {
    int rank = -1;
    Greeting() { MPI_Comm_rank(MPI_COMM_WORLD, &rank); }
};
int main(int argc, char **argv)
{
    int size;
    MPI_Init(&argc, &argv);
    static Greeting greeting;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::cout << "rank " << greeting.rank << " of " << size << std::endl;
    MPI_Finalize();
}
END
printf '#include <mpi.h>\nint twice(int x) { return MPI_VERSION > 0 ? 2 * x : 0; }\n' >twice.c
printf 'int twice(int x);\nint main(void) { return twice(0); }\n' >uses.c

# ---- As a compiler
works "-c" $EPCC -c hello.c
works "objects are linked" $EPCC hello.o -o objects
runs "objects" ./objects
works "a.out" $EPCC -Wall -Wextra -pedantic -Werror hello.c
runs "a.out" ./a.out
works "-oNAME" $EPCC hello.c -oglued && runs "-oNAME" ./glued
works "several sources and libraries" $EPCC uses.c twice.c -o several -lm -lpthread
works "-S" $EPCC -S hello.c && works "assembler" $EPCC hello.s -o assembler && runs "assembler" ./assembler
works "-E" sh -c "$EPCC -E hello.c | grep -q ep_MPI_Init"
works "-MM" sh -c "$EPCC -MM hello.c | grep -q 'hello.o: hello.c .*dropin/mpi.h'"
works "-MMD -MF" $EPCC -MMD -MF hello.d -c hello.c && works "its file" grep -q hello.o: hello.d
works "standard input" sh -c "$EPCC -x c - -o input <hello.c" && runs "standard input" ./input
works "-x c for all" $EPCC -x c hello.c -o language && runs "-x c" ./language
echo '-c "hello.c" -o response.o' >response
works "a response file" $EPCC @response && works "its object" test -f response.o
echo '-o response response.o' >response
works "a response file to link" $EPCC @response -lm && runs "a response file" ./response
works "options of executables" $EPCC -fPIE -fno-pic -pie -no-pie -rdynamic -static-libgcc -Wl,-E -Wl,-pie hello.c \
    -o pie -lc
runs "options of executables" ./pie
works "-flto" $EPCC -O2 -flto hello.c -o lto && runs "-flto" ./lto
works "-g3 -O0 -fsanitize=undefined" $EPCC -g3 -fsanitize=undefined hello.c -o sanitized &&
    runs "sanitized" ./sanitized
works "-fvisibility=hidden" $EPCC -fvisibility=hidden hello.c -o hidden && runs "-fvisibility=hidden" ./hidden
works "-r" $EPCC -r hello.o -o relocatable.o && works "its output" $EPCC relocatable.o && runs "-r" ./a.out
ar rcs libmain.a hello.o
works "main in an archive" $EPCC -L. -lmain -o archive && runs "main in an archive" ./archive
works "C++" $EPCXX -Wall -O2 hello.cc -o hello++ && runs "C++" ./hello++
works "C++ linked by epcc" $EPCXX -c hello.cc -o hello++.o && works "-lstdc++" $EPCC hello++.o -lstdc++ -o mixed
runs "C++ linked by epcc" ./mixed
works "no input: -dumpversion" $EPCC -dumpversion
works "no input: --version" $EPCC --version
works "no input: -v" $EPCC -v
works "no input: -print-search-dirs" $EPCC -print-search-dirs
works "no input: -Wl,--version" $EPCC -Wl,--version
fails "no input" "no input files" $EPCC
works "started alone" sh -c '[ "$(EP_THREADS=1 ./a.out)" = "rank 0 of 1" ]'

printf '#include <mpi.h>\n#include <stdio.h>\n' >all.h
works "a precompiled header" $EPCC -x c-header all.h -o all.h.gch && rm all.h &&
    works "its use" $EPCC -Winvalid-pch -Werror -include all.h hello.c -o precompiled && runs "it" ./precompiled
works "-save-temps" $EPCC -save-temps hello.c -o saved && runs "-save-temps" ./saved

# ---- Libraries
works "-shared" $EPCC -shared twice.c -o libtwice.so
works "its mark" sh -c 'nm -D libtwice.so | grep -q ep_image_mark'
works "a program with it" $EPCC uses.c -L. -ltwice "-Wl,-rpath,$PWD" -o shared &&
    works "with -shared" $EPRUN -t 2 ./shared

# ---- Objects of a plain compiler, without MPI
cat >plain.c <<'END'
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
int used;
int twice(int x)
{
    if (++used != 1 || optind != 1 || !getenv("PATH") || feof(stdin))
        fprintf(stderr, "used before\n");
    fflush(stdout);
    return 2 * x;
}
END
works "position-independent" ${CC:-cc} -O2 -fPIE -c plain.c && works "linked" $EPCC uses.c plain.o -o pie
works "position-independent runs" sh -c "$EPRUN -t 2 ./pie 2>&1 | cmp - /dev/null"
${CC:-cc} -O2 -fno-pie -c plain.c
fails "position-dependent" "epcc: programs are loaded as shared objects" $EPCC uses.c plain.o -o fixed

# ---- Headers
mkdir own real
echo 'int own;' >own/ep.h
printf '#include <ep.h>\n#include <mpi.h>\nint main(void) { return own; }\n' >own.c
works "a program's own ep.h" $EPCC -Iown own.c -o own.out
works "a directory with the real mpi.h" $EPCC $($MPICC -show | tr ' ' '\n' | grep '^-I') hello.c &&
    runs "it" ./a.out

# ---- What is printed
works "--show" sh -c "$EPCC --show hello.c -o 'a b' | grep -q \"hello.c -o 'a b'\""
works "--show runs nothing" test ! -f 'a b'
$EPCC --show hello.c -o shown >shown.sh
works "--show can be run" sh shown.sh && runs "--show" ./shown
works "-show -c does not link" sh -c "! $EPCC -show -c hello.c | grep -q -- -shared"
for part in -showme:compile -compile_info -showme:incdirs; do
    works "$part" sh -c "$EPCC $part | grep -q dropin"
done
for part in -showme:link -link_info; do
    works "$part" sh -c "$EPCC $part | grep -q -- '-lep_image -lep '"
done
works "--showme:libs" sh -c "$EPCC --showme:libs | grep -q 'ep '"
fails "--showme:nonsense" "not one of" $EPCC --showme:nonsense

# ---- What it refuses
fails "-static" "leave\|without this option" $EPCC -static hello.c
works "-static -c" $EPCC -static -c hello.c
$MPICC -c hello.c -o plain.o
fails "objects of mpicc" "past ep: MPI_Comm_rank" $EPCC plain.o -o plain
works "no output then" test ! -e plain
cat >lacks.c <<'END'
#include <mpi.h>
int main(void)
{
    MPI_File f;
    return MPI_File_open(MPI_COMM_WORLD, "f", 0, MPI_INFO_NULL, &f);
}
END
fails "what ep lacks" "epcc: ep has no MPI_File_open (files), and" $EPCC lacks.c
cat >dead.c <<'END'
#include <mpi.h>
int closes(MPI_File f);
int closes(MPI_File f) { return MPI_File_close(&f); }
END
works "what ep lacks, not reached" $EPCC -Wall -Werror -c dead.c && works "it links" $EPCC dead.o hello.o
fails "no main" "main" $EPCC twice.c

# ---- Names without the header: what configure scripts ask, and what they must not find
cat >conftest.c <<'END'
char MPI_Init();
char MPI_Comm_create();
static int MPI_Bcast(void) { return 3; }
int main(void)
{
    char MPI_Type_get_envelope(), PMPI_Send();
    return MPI_Init() + MPI_Comm_create() + MPI_Type_get_envelope() + PMPI_Send() + MPI_Bcast();
}
END
cat >conftest.cc <<'END'
namespace conftest {
extern "C" char MPI_Init();
struct own { int MPI_Send() { return 1; } };
}
extern "C" char MPI_Comm_create();
int main() { return conftest::MPI_Init() + MPI_Comm_create() + conftest::own().MPI_Send(); }
END
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    works "a configure script's questions with $compiler" env EP_CC=$compiler $EPCC -Wall -Werror conftest.c -o conftest
    works "ep's functions are the answer" sh -c \
        'nm -D conftest | grep -q "U ep_MPI_Comm_create$" && nm -D conftest | grep -q "U ep_send$"'
done
for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    works "the same with $compiler" env EP_CXX=$compiler $EPCXX -Wall -Werror conftest.cc -o conftest
done
printf 'char MPI_File_open();\nint main(void) { return MPI_File_open(); }\n' >conftest.c
fails "the same, what ep lacks" "MPI_File_open" $EPCC conftest.c -o conftest
printf 'char MPI_Initt();\nint main(void) { return MPI_Initt(); }\n' >conftest.c
fails "the same, what nobody has" "MPI_Initt" $EPCC conftest.c -o conftest
$MPICC -c -o conftest.o -x c - <<'END'
char MPI_Init();
int main(void) { return MPI_Init(); }
END
fails "one call, compiled by mpicc" "past ep: MPI_Init$" $EPCC conftest.o -o conftest
# A library of MPI's Fortran interface, and who calls it.
for name in mpi_allreduce_ mpi_send_f08_ mpi_recv_f08ts_ MPI_BCAST pmpi_barrier__; do
    echo "void $name(void); void $name(void) {}"
done >fortran.c
${CC:-cc} -shared -fPIC fortran.c -o libfortran.so
for name in mpi_allreduce_ mpi_send_f08_ mpi_recv_f08ts_ MPI_BCAST pmpi_barrier__; do
    printf "void $name(void);\nint main(void) { $name(); return 0; }\n" >calls.c
    ${CC:-cc} -fPIC -c calls.c
    fails "a call of $name" "from Fortran: $name$" $EPCC calls.o -L. -lfortran -o conftest
done
printf 'void mpi_own_(void) {}\n' | ${CC:-cc} -shared -fPIC -x c - -o libown.so
printf 'void mpi_own_(void);\nint main(void) { mpi_own_(); return 0; }\n' >calls.c
works "a name like one in Fortran" $EPCC calls.c -L. -lown -o conftest
works "-E prints the file alone" sh -c "echo text | $EPCC -E -P - | cmp - /dev/stdin <<END
text
END"

# ---- Libraries of the MPI underneath, as parallel HDF5 is one
mkdir -p below/far
cat >below/classic.h <<'END'
#include <mpi.h>
#ifdef __cplusplus
extern "C"
#endif
int classic_size(MPI_Comm comm);
END
cat >classic.c <<'END'
#include "classic.h"
int classic_size(MPI_Comm comm)
{
    int n = -1;
    MPI_Comm_size(comm, &n);
    return n;
}
END
echo 'int classic_size(long); int middle(void); int middle(void) { return classic_size(0); }' >middle.c
$MPICC -shared -fPIC -Ibelow classic.c -o below/far/libclassic.so.1 -Wl,-soname,libclassic.so.1
ln -s libclassic.so.1 below/far/libclassic.so
${CC:-cc} -shared -fPIC middle.c -o below/libmiddle.so -Lbelow/far -lclassic -Wl,-rpath,"$PWD/below/far"
cat >naive.c <<'END'
#include "classic.h"
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    return classic_size(MPI_COMM_WORLD);
}
END
cat >informed.c <<'END'
#include <ep.h>
#include <mpi.h>
#include <ep_funnel.h>
#include <stdio.h>
#pragma push_macro("MPI_Comm")
#undef MPI_Comm
#include "classic.h"
#pragma pop_macro("MPI_Comm")
static int ask(ep_mpi_comm comm, int num_args, void *const args[])
{
    return num_args * *(int *)args[num_args - 1] * classic_size(comm);
}
int main(int argc, char **argv)
{
    int rank, size, count = -1, called = -1;
    ep_mpi_comm processes;
    ep_funnel funnel;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    ep_comm_get_mpi_comm(MPI_COMM_WORLD, &processes);
    count = classic_size(processes);
    ep_funnel_create(MPI_COMM_WORLD, &funnel);
    ep_funnel_call(funnel, ask, &size, &called);
    ep_funnel_free(&funnel);
    if (called != size * size) /* of one process */
        printf("the funnel gave %d\n", called);
    printf(count == 1 ? "rank %d of %d\n" : "rank %d of %d: %d processes\n", rank, size, count);
    return MPI_Finalize();
}
END
cp informed.c informed.cc
printf 'int middle(void);\nint main(void) { return middle(); }\n' >middling.c
knows_not="libraries of the MPI underneath, which do not know ep's handles: libclassic.so.1$"
fails "a library of the MPI underneath" "$knows_not" $EPCC -Ibelow naive.c -Lbelow/far -lclassic -o naive
works "no output then" test ! -e naive
fails "the same by its file" "$knows_not" $EPCC -Ibelow naive.c below/far/libclassic.so -o naive
fails "a library that needs one" "$knows_not" $EPCC middling.c -L below -lmiddle -o middling
fails "another one allowed" "$knows_not" $EPCC -Ibelow naive.c -Lbelow/far -lclassic -o naive --underneath=other,class
fails "in a library" "$knows_not" $EPCC -shared middle.c -Lbelow/far -lclassic -o libmine.so
for name in classic libclassic libclassic.so.1 other,libclassic.so all; do
    works "--underneath=$name" $EPCC middling.c -Lbelow -lmiddle -o middling --underneath=$name
done
works "EP_UNDERNEATH" env EP_UNDERNEATH=classic $EPCC middling.c -Lbelow -lmiddle -o middling
works "a communicator of processes" $EPCC -Wall -Wextra -Werror -Ibelow informed.c -Lbelow/far -lclassic -o informed \
    --underneath=classic "-Wl,-rpath,$PWD/below/far"
runs "a communicator of processes" ./informed
works "the same in C++" $EPCXX -Wall -Wextra -Werror -Ibelow informed.cc -Lbelow/far -lclassic -o informed \
    --underneath=classic "-Wl,-rpath,$PWD/below/far"
runs "the same in C++" ./informed

# ---- Libraries with variables, of which ranks would share one copy
cat >counts.c <<'END'
static int calls[30];
int counts(int i);
int counts(int i) { return ++calls[i % 30]; }
END
printf 'int counts(int);\nint main(void) { return counts(0) != 1; }\n' >counting.c
printf 'int counts(int);\nint passes(void);\nint passes(void) { return counts(1); }\n' >passes.c
printf 'int passes(void);\nint main(void) { return passes() != 1; }\n' >passing.c
mkdir -p variables
for name in counts fftw3own; do
    ${CC:-cc} -shared -fPIC counts.c -o variables/lib$name.so.2 -Wl,-soname,lib$name.so.2
    ln -s lib$name.so.2 variables/lib$name.so
done
printf 'int same(int x);\nint same(int x) { return x; }\n' >same.c
${CC:-cc} -shared -fPIC same.c -o variables/libsame.so
${CC:-cc} -shared -fPIC passes.c -o variables/libpasses.so -Lvariables -lfftw3own "-Wl,-rpath,$PWD/variables"
$EPCC -shared counts.c -o variables/libours.so
here="-Lvariables -Wl,-rpath,$PWD/variables"
# tells BYTES COMMAND...: of that many bytes in libcounts, or of nothing.
tells() {
    bytes=$1
    shift
    "$@" >log 2>&1 || fail "$*"
    text="a.out: all ranks of a process share the variables of libcounts.so.2 ($bytes bytes).*--private=libcounts;.*=libcounts here"
    if [ "$bytes" ] && [ "$(wc -l <log)" = 1 ] && grep -q "$text" log; then
        echo "ok: told"
    elif [ -z "$bytes" ] && [ ! -s log ]; then
        echo "ok: nothing to tell"
    else
        fail "$*"
    fi
}
counted=$(readelf -W -S variables/libcounts.so | sed -n 's/.*\] \.\(data\|bss\) //p' |
    while read -r _ _ _ size _; do echo $((0x$size)); done | paste -sd+ -)
tells $(($counted - 16)) $EPCC counting.c $here -lcounts
tells $(($counted - 16)) $EPCC counting.c $here -lcounts --shared-state=other,count
for name in counts libcounts libcounts.so.2 other,counts all; do
    tells "" $EPCC counting.c $here -lcounts --shared-state=$name
done
tells "" env EP_SHARED_STATE=counts $EPCC counting.c $here -lcounts
tells "" $EPCC counting.c $here -lfftw3own # known: a copy for each rank
tells "" $EPCC passing.c $here -lpasses    # needs one that has copies, and so has them
tells "" $EPCC counting.c $here -lours
tells "" $EPCC hello.c $here -Wl,--no-as-needed -lsame -lm
tells "" $EPCC -shared passes.c $here -lcounts -o libmine.so
works "each its own" sh -c "$EPCC counting.c $here -lcounts 2>&1 && $EPRUN -t 4 --private=libcounts ./a.out"
works "libraries with copies" sh -c "$EPCC passing.c $here -lpasses && $EPRUN -t 4 ./a.out"

# ---- Other compilers
for other in clang gcc; do
    command -v $other >/dev/null || continue
    works "EP_CC=$other" env EP_CC=$other $EPCC -Wall -Werror hello.c -o other && runs "$other" ./other
    works "-cc=$other" $EPCC -cc=$other -Wall -Werror hello.o -o other && runs "$other" ./other
done
for other in clang++ g++; do
    command -v $other >/dev/null || continue
    works "EP_CXX=$other" env EP_CXX=$other $EPCXX -Wall -Werror hello.cc -o other && runs "$other" ./other
done
cat >sections.c <<'END'
extern int *const __start_numbers[], *const __stop_numbers[];
static int one = 1;
static int *const entry __attribute__((used, section("numbers"))) = &one;
int main(void) { return __stop_numbers - __start_numbers != 1 || *__start_numbers[0] != 1; }
END
for linker in bfd gold lld; do
    command -v ld.$linker >/dev/null || continue
    works "$linker: sections found by name" $EPCC -fuse-ld=$linker sections.c -o sections &&
        works "used" $EPRUN -t 2 ./sections
    works "-fuse-ld=$linker" $EPCC -fuse-ld=$linker hello.c -o other && runs "$linker" ./other
done
exit $failed
