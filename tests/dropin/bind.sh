#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Where ranks run on this machine. EPRUN and EPCC name the commands, MPIRUN the launcher of the MPI library.
set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
unset EP_THREADS EP_MPIRUN OMP_NUM_THREADS
read -ra mpirun <<<"${MPIRUN:-mpirun}"

fail() {
    echo "bind.sh: $*" >&2
    failed=1
}

"$EPCC" "$here/bind/where.c" -o "$dir/where" -pthread || exit 1

# All CPUs that may be used, by core: "core cpu cpu...".
all=$(taskset -cp $$ | sed 's/.*: //' | tr , '\n' | while IFS=- read -r a b; do seq "$a" "${b:-$a}"; done)
declare -A core
while IFS=, read -r cpu c socket; do core[$cpu]=$socket.$c; done < <(lscpu -p=CPU,CORE,SOCKET | grep -v '^#')
ncpus=$(wc -w <<<"$all")
ncores=$(for c in $all; do echo "${core[$c]:-cpu$c}"; done | sort -u | wc -l)

# Runs a command into $dir/out: "rank: cpus" in order of ranks.
where() {
    timeout 60 "$@" >"$dir/raw" 2>"$dir/err" </dev/null || fail "$*: status $?: $(head -n3 "$dir/err")"
    sort -n "$dir/raw" >"$dir/out"
    grep -q elsewhere "$dir/out" && fail "$*: a thread of the program is not where its rank is"
}

# Each rank has a core alone.
alone() { # ranks, command
    local n=$1 cores
    shift
    where "$@"
    cores=$(while read -r _ cpus; do for c in $cpus; do echo "${core[$c]:-cpu$c}"; done | sort -u; done <"$dir/out")
    [ "$(wc -l <"$dir/out")" = "$n" ] && [ "$(wc -l <<<"$cores")" = "$n" ] && [ -z "$(sort <<<"$cores" | uniq -d)" ] ||
        fail "$*: ranks share cores: $(tr '\n' ';' <"$dir/out")"
}

# All ranks have these CPUs.
everywhere() { # cpus, command
    local cpus
    cpus=$(echo $1) # in one line
    shift
    where "$@"
    while read -r _ have; do
        [ "$have" = "$cpus" ] || fail "$*: a rank has CPUs $have instead of $cpus"
    done <"$dir/out"
}

first=$(head -n1 <<<"$all")
last=$(tail -n1 <<<"$all")
alone 1 "$EPRUN" "$dir/where"
alone "$ncores" "$EPRUN" -t "$ncores" "$dir/where"
everywhere "$all" "$EPRUN" -t $((ncpus + 1)) "$dir/where"
everywhere "$last" taskset -c "$last" "$EPRUN" -t 3 "$dir/where"
everywhere "$last" taskset -c "$last" "$EPRUN" -n 2 -t 2 "$dir/where"
everywhere "$all" "$EPRUN" -t 2 --bind none "$dir/where"
everywhere "$last" "$EPRUN" -t 2 --bind "$last" "$dir/where"
if [ "$ncores" -ge 2 ]; then
    alone 2 "$EPRUN" -n 2 "$dir/where"
    alone 2 "${mpirun[@]}" -n 1 "$EPRUN" -t 2 "$dir/where"
    alone 2 "${mpirun[@]}" -n 2 "$EPRUN" "$dir/where"
    if "${mpirun[@]}" --version 2>/dev/null | grep -q 'OpenRTE\|Open MPI\|OpenMPI'; then
        alone 2 "${mpirun[@]}" --bind-to core -n 1 "$EPRUN" -t 2 "$dir/where"
        alone 2 "${mpirun[@]}" --bind-to core -n 2 "$EPRUN" -t 1 "$dir/where"
        everywhere "$all" "${mpirun[@]}" --bind-to core -n 1 "$EPRUN" -t $((ncpus + 1)) "$dir/where"
    fi
    where "$EPRUN" -t 2 --bind "$last,$first" "$dir/where"
    [ "$(cat "$dir/out")" = "0: $last"$'\n'"1: $first" ] || fail "--bind list: $(cat "$dir/out")"
    where "$EPRUN" -n 2 --bind "$last,$first" "$dir/where"
    [ "$(cat "$dir/out")" = "0: $last"$'\n'"1: $first" ] || fail "--bind list, 2 processes: $(cat "$dir/out")"
    alone 2 "$EPRUN" -t 2 --bind core "$dir/where"
    alone 2 "$EPRUN" -t 2 --bind thread "$dir/where"
    OMP_NUM_THREADS=$ncores everywhere "$all" "$EPRUN" -t 1 "$dir/where"
fi
exit $failed
