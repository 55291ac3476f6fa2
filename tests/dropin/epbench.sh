#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# epbench.sh [OPTION...]: does epbench compare do what docs/epbench.md says? Compilers and launchers come from the
# environment (MPICC, MPICXX, MPIRUN, EPCC, EPCXX, EPRUN) or by the options of epbench.
set -u
epbench=$(cd "$(dirname "$0")/../../tools" && pwd)/epbench
for tool in mpicc mpicxx mpirun epcc epcxx eprun; do
    eval "command=\${$(echo $tool | tr a-z A-Z):-}"
    if [ -n "$command" ]; then
        set -- "--$tool" "$command" "$@"
    fi
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failures=0

fail() {
    echo "FAILED: $*"
    sed 's/^/    /' out.txt err.txt
    failures=$((failures + 1))
}

# run STATUS ARGUMENT...: the shortest comparison there is; its exit status must be STATUS.
run() {
    status=$1
    shift
    "$epbench" compare --rounds 1 --warmup 0 --memory-rounds 0 --layouts 1x2 "$@" >out.txt 2>err.txt
    got=$?
    [ $got -eq "$status" ] || fail "status $got instead of $status: $*"
}

# says FILE PATTERN WHAT
says() {
    grep -q "$2" "$1" || fail "$3: no '$2' in $1"
}

cat >app.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#ifndef VALUE
#define VALUE 1
#endif
int main(int argc, char **argv)
{
    int rank, what = argc > 1 ? atoi(argv[1]) : 0, sum = 0, one = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("rank %d: sum %d value %d\ntook %d.5 s\n", rank, sum, VALUE, rank);
    fflush(stdout);
    if (what == 1 && rank == 1)
        exit(3);
    while (what == 2)
        sleep(1);
    MPI_Finalize();
    return 0;
}
END

# A source file; two numbers of ranks; everything that is measured.
run 0 "$@" --layouts 2x1,1x2,1x3 --memory-rounds 1 --rounds 2 --same-output '^rank' --time '^took (.*) s' -- app.c
says out.txt '^2 proc\.' table
says out.txt '^ep 1x3 .*2\.500' 'printed time'
python3 - <<'END' || fail "JSON file"
import json
found = json.load(open("epbench-out/app.json"))
names = [c["name"] for c in found["configurations"]]
assert names == ["2 proc.", "2x1", "1x2", "3 proc.", "1x3"], names
for c in found["configurations"]:
    for key in "wall", "cpu", "time", "memory", "memory_of_ranks":
        assert c[key]["median"] > 0 and c[key]["min"] > 0, (c["name"], key)
    assert len(c["wall"]["rounds"]) == 2 and len(c["memory"]["rounds"]) == 1 and c["wall"]["min"] < 60
    assert 1 < c["memory_of_ranks"]["median"] <= c["memory"]["median"] < 10000
assert found["machine"]["cpu"] and found["machine"]["cpus"] > 0 and found["machine"]["date"]
END
if command -v gnuplot >/dev/null; then
    [ -s epbench-out/app.svg ] || fail "no SVG file"
fi

# Programs that are built already.
run 0 "$@" --built epbench-out/build-mpi/app epbench-out/build-ep/app --same-output sum --name twice -- 0
[ -s epbench-out/twice.txt ] || fail "--name"

# Another program beside them.
built="--built epbench-out/build-mpi/app epbench-out/build-ep/app"
run 0 "$@" $built --rounds 2 --beside '2:by hand=sh -c "sleep 0.01; echo took 7.5 s"' --time '^took (.*) s' --name beside -- 0
says out.txt '^by hand .*7\.500' 'another program'
says out.txt '^by hand: sh -c .*7\.5 s.$' 'its command line'
run 2 "$@" $built --beside '3:by hand=true' -- 0
says err.txt 'there is no layout of 3 ranks' 'nothing to compare another program with'
run 2 "$@" $built --beside '2:1x2=true' -- 0
says err.txt 'two configurations have this name' 'a name twice'
run 2 "$@" $built --beside 'true' -- 0
says err.txt 'is not RANKS:NAME=COMMAND' 'a wrong --beside'

# C++, and a source tree of several files.
cat >hello.cc <<'END'
#include <iostream>
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    std::cout << "hello" << std::endl;
    MPI_Finalize();
}
END
run 0 "$@" --same-output hello -- hello.cc
mkdir tree
cp app.c tree/
echo 'int twice(int x) { return 2 * x; }' >tree/twice.c
printf 'app: app.o twice.o\n\t$(CC) -o $@ app.o twice.o\n' >tree/Makefile
run 0 "$@" --source tree --same-output '^rank' -- 'make CC=$CC' / ./app 0
run 0 "$@" --source tree --same-output '^rank' --build 'make CC="$CC"' -- ./app 0
touch tree/app
run 1 "$@" --source tree -- true / ./app
says err.txt 'left ./app as it was' 'a program built before'

# What goes wrong is told.
rm tree/app
run 1 "$@" --source tree --same-output '(value .*)' \
    -- 'case $PWD in *-ep) v=2 ;; *) v=1 ;; esac; $CC -DVALUE=$v -o app app.c' / ./app
says err.txt '^ *-value 1' 'outputs that differ'
says err.txt '^ *+value 2' 'outputs that differ'
run 1 "$@" --same-output nothing -- app.c
says err.txt 'printed no line' 'nothing to compare'
echo 'int main(void) { return nonsense; }' >bad.c
run 1 "$@" -- bad.c
says err.txt 'nonsense.*undeclared' 'the log of a build'
run 1 "$@" -- app.c 1
says err.txt 'ended with status 3' 'a run that fails'
run 1 "$@" --timeout 5 -- app.c 2
says err.txt 'did not end within 5 s' 'a run that hangs'
sleep 0.5
if grep -l "$dir/epbench-out" /proc/[0-9]*/cmdline 2>/dev/null; then
    fail "processes are left"
fi
run 2 "$@" --layouts 2y2 -- app.c
says err.txt "'2y2' is no layout" 'a wrong layout'
run 2 "$@" -- app
run 2 "$@" --mpicc no-such-compiler -- app.c
says err.txt "no 'no-such-compiler'" 'a tool that is not there'

[ $failures -eq 0 ] && echo "epbench: all as documented"
exit $((failures > 0))
