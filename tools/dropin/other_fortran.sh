# SPDX-License-Identifier: BSD-3-Clause
# Read by epfort where it has another compiler than ep was built with. mpif.h is one for all; what a module file is, and how an array
# with a shape is passed, are the compiler's own. So the modules are compiled once by each: into a folder beside ep's own where that can
# be written, else into one of the user.
case ${cc%% *} in
/*) ;;
*/*) cc=$PWD/$cc ;; # modules are compiled elsewhere
esac
version=$($cc --version 2>/dev/null | head -n 1)
case $version in
'') fail "$cc: there is no compiler of this name, or it has no --version" ;;
*GNU\ Fortran*) ;;
*) family=plain ;;
esac

module_names="ep_types mpi mpi_f08" # each after those that it uses

# compile_modules FOLDER: it appears as a whole, whoever else makes it at the same time. 1: it cannot be written.
compile_modules() {
    mkdir -p "${1%/*}" 2>/dev/null && work=$(mktemp -d "$1.XXXXXX" 2>/dev/null) || return 1
    (
        cd "$work" || exit 1
        for name in $module_names; do # some compilers get no code for what they can check
            $cc -O2 -fPIC -c "$module_sources/$name.f90" >"$name.log" 2>&1 ||
                $cc -fsyntax-only "$module_sources/$name.f90" >>"$name.log" 2>&1 ||
                : >"$name.failed"
        done
        set +f
        ar rcs libep_modules.a ./*.o
    )
    chmod -R a+rX "$work"
    mv -T "$work" "$1" 2>/dev/null || rm -rf "$work"
    [ -d "$1" ]
}

# Sets other to the folder for this compiler.
find_modules() {
    key=$(for name in $module_names; do cat "$module_sources/$name.f90"; done | cksum)
    key=$(printf %s "$version-${key%% *}" | tr -cs 'A-Za-z0-9.\n' -)
    users=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/ep
    for other in "$modules/$key" "$users/$key"; do
        [ ! -d "$other" ] || return 0
    done
    for other in "$modules/$key" "$users/$key"; do
        ! compile_modules "$other" || return 0
    done
    fail "neither $modules nor $users can be written: the modules for $cc must be somewhere; XDG_CACHE_HOME names a folder"
}

# Whenever the compiler is used: who sees the error that a module is not there wants to know why.
say_failed() {
    for name in $module_names; do
        [ ! -f "$other/$name.failed" ] ||
            echo "$me: $cc does not compile ep's module $name, so programs cannot use it: $other/$name.log" \
                "(without this folder it is tried again)" >&2
    done
}

if [ "$version" != "$fc_version" ]; then
    find_modules
    say_failed
fi

case $version in
*flang*) # what runs the program is linked in, so each rank has its own; where a shared object is made it may be forgotten
    llvm=$(readlink -f "$(command -v "${cc%% *}")")
    llvm=${llvm%/bin/*}/lib
    runtime="-L$llvm"
    [ ! -f "$llvm/libFortran_main.a" ] || runtime="-L$llvm -lFortran_main -lFortranRuntime -lFortranDecimal"
    ;;
esac

# mark_objects COMMAND...: what -c has made gets the symbol that an assembler would have defined.
mark_objects() {
    "$@" || exit
    IFS='
'
    for object in $objects; do
        [ ! -f "$object" ] || objcopy --add-symbol ep_object=1,local "$object" 2>/dev/null
    done
    exit 0
}
