#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Programs that are started directly, and what the environment says to them; systems that give less than usual.
# EPRUN, EPCC and EP_INFO name the commands.
set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
unset EP_THREADS EP_MPIRUN
eprun=$EPRUN
unset EPRUN

fail() {
    echo "start.sh: $*" >&2
    sed 's/^/    /' "$dir/out" "$dir/err" | head -n 8 >&2
    failed=1
}

skip() {
    echo "start.sh: not tried: $*" >&2
}

try() {
    timeout 60 "$@" >"$dir/out" 2>"$dir/err" </dev/null
    status=$?
}

# right OUTPUT COMMAND...
right() {
    local expected=$1
    shift
    try "$@"
    [ $status = 0 ] || fail "$*: status $status"
    [ "$(cat "$dir/out")" = "$expected" ] || fail "$*: not $expected"
}

# wrong STATUS PATTERN COMMAND...
wrong() {
    local expected=$1 pattern=$2
    shift 2
    try "$@"
    [ $status = "$expected" ] || fail "$*: status $status instead of $expected"
    grep -qE -e "$pattern" "$dir/err" || fail "$*: stderr lacks '$pattern'"
}

"$EPCC" "$here/options/ranks.c" -o "$dir/ranks" || exit 1

# ---- a job on one machine does not look for networks, unless it is told to; the program does not see how it was told
if "$EP_INFO" 2>/dev/null | grep -q 'Open MPI'; then
    networks() { LD_DEBUG=files try "$@"; [ $status = 0 ] || fail "$*: status $status"; grep -q 'libpsm2' "$dir/err"; }
    networks "$eprun" -t 2 "$dir/ranks" && fail "a process alone looks for networks"
    networks "$eprun" -n 2 -t 2 "$dir/ranks" && fail "processes of one machine look for networks"
    if OMPI_MCA_mtl=^v networks "$eprun" -t 2 "$dir/ranks"; then
        OMPI_MCA_mtl=^v networks "$eprun" -n 2 -t 2 "$dir/ranks" || fail "OMPI_MCA_mtl of a job is overruled"
        OMPI_MCA_pml=^v networks "$eprun" -n 2 -t 2 "$dir/ranks" || fail "OMPI_MCA_pml of a job is of no use"
    else
        skip "OMPI_MCA_mtl: this Open MPI looks for no network"
    fi
    right 2 env -u OMPI_MCA_mtl "$eprun" -t 2 /bin/sh -c "env | grep -q OMPI_MCA_mtl || exec $dir/ranks"
fi

# ---- messages to mpirun do not wait for others that it has not acknowledged
"$EPCC" "$here/options/server.c" -o "$dir/server" || exit 1
try "$eprun" -n 2 -t 1 "$dir/server"
[ $status = 0 ] || fail "server: status $status"
[ -s "$dir/out" ] || skip "server: no connection of PMIx's by TCP"
grep -q later "$dir/out" && fail "messages to mpirun wait"

# ---- directly
right 1 "$dir/ranks"
right 3 env EP_THREADS=3 "$dir/ranks"
right '2 a  b' env EP_THREADS=2 "$dir/ranks" a '' b
right 1 env EPRUN= "$dir/ranks"
cat >"$dir/as_eprun" <<'END'
#!/bin/sh
echo "by EPRUN"
exec "$REAL_EPRUN" "$@"
END
chmod 755 "$dir/as_eprun"
right "by EPRUN"$'\n'2 env EP_THREADS=2 EPRUN="$dir/as_eprun" REAL_EPRUN="$eprun" "$dir/ranks"

# ---- by commands: one in each process, the programs they start have the ranks
cat >"$dir/script" <<'END'
#!/bin/sh
echo "before $EP_THREADS"
exec "$(dirname "$0")/ranks" "$@"
END
cat >"$dir/plain" <<'END'
echo without a first line
EP_THREADS=1 "$(dirname "$0")/ranks"
END
chmod 755 "$dir/script" "$dir/plain"
right "before 3"$'\n''3 a -t b' "$eprun" -t 3 "$dir/script" a -t b
right "without a first line"$'\n'1 "$eprun" -t 3 "$dir/plain"
right 2 "$eprun" -t 2 env A=1 "$dir/ranks"
right '[1,0]<stdout>:2' "$eprun" -t 2 --tag-output --bind none sh -c "$dir/ranks" # other options count, too
right 2 "$eprun" -t 2 env "$eprun" "$dir/ranks"
right 3 "$eprun" -t 2 --bind=none env "$eprun" -t3 "$dir/ranks"
right '2 3' "$eprun" -n 2 -t 2,3 env A=1 "$dir/ranks"
right "before 2"$'\n'"before 2"$'\n''2 2' "$eprun" -n 2 -t 2 "$dir/script"
right '2 2' env EP_THREADS=2 "$eprun" -np 2 env A=1 "$dir/ranks"
try "$eprun" -t 2 sh -c 'exit 3'
[ $status = 3 ] || fail "a command's status: $status"
printf '#include <mpi.h>\nint main(void) { MPI_Init(0, 0); return MPI_Finalize(); }\n' >"$dir/mpi.c"
"${MPICC:-mpicc}" "$dir/mpi.c" -o "$dir/mpi" || exit 1
wrong 1 'mpi was not built with epcc: it is an ordinary executable' "$eprun" -t 2 "$dir/mpi" # not one rank in place of two

# ---- N ranks, as a test harness asks for them
right '4 3' env EP_THREADS_PER_PROCESS=4 "$eprun" -np 7 "$dir/ranks"
right '2 2' env EP_THREADS_PER_PROCESS=2 "$eprun" -n 4 "$dir/ranks"
right 3 env EP_THREADS_PER_PROCESS=4 EP_THREADS=9 "$eprun" -n 3 "$dir/ranks"
right "before 5"$'\n'5 env EP_THREADS_PER_PROCESS=all "$eprun" -n 5 "$dir/script"
right '1 1' env EP_THREADS_PER_PROCESS=all "$eprun" -n 2 -t 1 "$dir/ranks" # -t counts
right 1 env EP_THREADS_PER_PROCESS=all "$eprun" "$dir/ranks"
wrong 2 'EP_THREADS_PER_PROCESS 0: ' env EP_THREADS_PER_PROCESS=0 "$eprun" -n 2 "$dir/ranks"
wrong 2 'EP_THREADS_PER_PROCESS 4,2: ' env EP_THREADS_PER_PROCESS=4,2 "$eprun" -n 2 "$dir/ranks"

# ---- EPRUN names a program that needs eprun: itself, another one, through a script
wrong 126 'ranks: EPRUN does not name eprun' env EPRUN="$dir/ranks" "$dir/ranks"
cp "$dir/ranks" "$dir/other"
wrong 126 'EPRUN does not name eprun' env EPRUN="$dir/other" "$dir/ranks"
wrong 126 'EPRUN does not name eprun' env EPRUN="$dir/as_eprun" REAL_EPRUN="$dir/ranks" "$dir/ranks"
printf '#!/bin/sh\n%s\nREAL_EPRUN=%s exec %s/as_eprun "$@"\n' "EPRUN=$eprun $dir/ranks" "$eprun" "$dir" >"$dir/another_first"
chmod 755 "$dir/another_first"
right "1"$'\n'"by EPRUN"$'\n'1 env EPRUN="$dir/another_first" "$dir/ranks"

# ---- more rights than the user has: the environment does not say what is executed
# A group of the user's that is not the present one gives such rights; root has every group.
other_group() {
    [ "$(id -u)" = 0 ] && { echo nogroup; return; }
    id -G | tr ' ' '\n' | grep -vx "$(id -g)" | head -n 1
}
group=$(other_group)
cp "$dir/ranks" "$dir/privileged"
cat >"$dir/eprun" <<'END'
#!/bin/sh
echo executed
END
chmod 755 "$dir/eprun"
if [ -z "$group" ] || ! chgrp "$group" "$dir/privileged" || ! chmod 2755 "$dir/privileged" ||
    findmnt -no OPTIONS -T "$dir" | grep -qw nosuid; then
    skip "programs with more rights: no second group, or the file system gives none"
else
    # The eprun of a build tree does not find its library then, that of an installation does.
    try env EP_THREADS=3 EPRUN="$dir/eprun" PATH="$dir:$PATH" "$dir/privileged"
    { [ $status = 0 ] && [ "$(cat "$dir/out")" = 1 ]; } || grep -q '^eprun: .*loading shared libraries' "$dir/err" ||
        fail "a program with more rights: not started by eprun with one rank"
    ! grep -q executed "$dir/out" || fail "a program with more rights executes what the environment says"
    cp "$EP_INFO" "$dir/ep_info" && chgrp "$group" "$dir/ep_info" && chmod 2755 "$dir/ep_info"
    try env EP_EAGER=77 EP_TRACE="$dir/trace.json" EP_CHAOS=1 OMP_EXTERNAL=task "$dir/ep_info"
    [ "$(grep -cE '^  (EP_EAGER = 65536|EP_TRACE = none|EP_CHAOS = 0|OMP_EXTERNAL = thread) \(default\)' "$dir/out")" = 4 ] ||
        fail "a program with more rights takes settings from the environment"
fi

# ---- no files, no /proc
(
    ulimit -f 0
    "$eprun" -t 2 "$dir/ranks" 2>&1 </dev/null
    echo "status $?"
) | cat >"$dir/out"
: >"$dir/err"
grep -q 'no copy of ranks .* (ulimit -f)' "$dir/out" && grep -q '^status 1$' "$dir/out" || fail "ulimit -f 0"
mkdir "$dir/tmp"
libraries=$("$EPCC" --showme:libdirs | tr ' ' :) # $ORIGIN, by which commands of a build tree find them, needs /proc
without_proc=(env TMPDIR="$dir/tmp" LD_LIBRARY_PATH="$libraries" unshare -m sh -c 'umount -l /proc && exec "$@"' sh)
if "${without_proc[@]}" test ! -e /proc/self 2>/dev/null; then
    right 2 "${without_proc[@]}" "$eprun" -t 2 "$dir/ranks"
    right '2 a' "${without_proc[@]}" env EP_THREADS=2 "$dir/ranks" a
    [ -z "$(ls "$dir/tmp")" ] || fail "copies are left behind"
else
    skip "a system without /proc: it cannot be taken away here"
fi
exit $failed
