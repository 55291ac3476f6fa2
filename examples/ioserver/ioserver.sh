#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Run the ocean model and its IO servers in several layouts, compare what they write and draw the sea surface.
#     ioserver.sh BUILD_DIR [OUT_DIR [LAYOUT...]]     layouts as of `ioserver --help`
# IOSERVER_DATA names the folder of the start data, MPIEXEC the launcher.
set -euo pipefail
export LC_ALL=C

build=${1:?usage: ioserver.sh BUILD_DIR [OUT_DIR [LAYOUT...]]}
out=${2:-out/ioserver}
layouts=("${@:3}")
[ ${#layouts[@]} -gt 0 ] || layouts=(6+2 2x3+1 2x3+0,0+2)
here=$(dirname "$0")
program=$build/examples/ioserver/ioserver
export IOSERVER_DATA=${IOSERVER_DATA:-$(dirname "$(dpkg -L ferret-datasets | grep '/levitus_climatology\.cdf$')")}
failures=0

# Root, more ranks than cores, threads that need all cores, no ssh: Open MPI is told through the environment.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm=isolated
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_MCA_mpi_yield_when_idle=1 # the libraries that write wait inside Open MPI

report() { # ok|wrong, text
    printf '  %-5s  %s\n' "$1" "$2"
    [ "$1" = ok ] || failures=$((failures + 1))
}

# Processes of a layout: each entry is one, or N where it begins with Nx.
processes_of() {
    local entry n=0
    for entry in ${1//,/ }; do
        case $entry in *x*) n=$((n + ${entry%%x*})) ;; *) n=$((n + 1)) ;; esac
    done
    echo $n
}

# run LAYOUT DIR OPTION...: the program, its table and progress in DIR/log; ends the script if it fails.
run() {
    local layout=$1 dir=$2
    mkdir -p "$dir"
    rm -f "$dir"/*.nc
    timeout 300 "${MPIEXEC:-mpirun}" -n "$(processes_of "$layout")" "$program" --layout "$layout" --output "$dir" \
        "${@:3}" > "$dir/log" || {
        echo "ioserver: FAILED: layout $layout ended with status $?"
        cat "$dir/log"
        exit 1
    }
}

# verify LAYOUT FORMAT: the run that CDO can check, on every third point.
verify() { run "$1" "$out/verify/$1/$2" --format "$2" --coarsen 3 "$here/verify.xml" 2> /dev/null; }

# The files of every layout and format against those of the first layout: CDF-5 byte by byte, NetCDF-4 after
# nccopy has made CDF-5 of them, since HDF5 puts its pieces where they come.
check_bytes() {
    local layout name reference=$out/verify/${layouts[0]}/cdf5 copy=$out/verify/copy.nc
    for layout in "${layouts[@]}"; do
        for name in steps by_servers by_clients every_other_day; do
            local verdict=ok
            cmp "$reference/$name.nc" "$out/verify/$layout/cdf5/$name.nc" || verdict=wrong
            nccopy -k cdf5 "$out/verify/$layout/netcdf4/$name.nc" "$copy"
            cmp "$reference/$name.nc" "$copy" || verdict=wrong
            report $verdict "$layout: $name.nc"
        done
    done
}

# The values of a variable, one a line, exactly. CDO's warnings are about the second time axis of files with means
# and instant values.
numbers() { cdo -s -w outputf,%.9g,1 -selname,"$1" "$2"; }

# check_operation FILE VARIABLE CDO_OPERATOR FIELD: the same numbers, to the last bit.
check_operation() {
    local dir=$out/verify/${layouts[0]}/cdf5 verdict=wrong
    numbers "$2" "$dir/$1.nc" > "$out/verify/own"
    cdo -s -O -b F32 "$3" -selname,"$4" "$dir/steps.nc" "$out/verify/cdo.nc"
    numbers "$4" "$out/verify/cdo.nc" > "$out/verify/cdo"
    if [ -s "$out/verify/own" ] && cmp -s "$out/verify/own" "$out/verify/cdo"; then verdict=ok; fi
    report $verdict "$1.nc: $2 is CDO's $3 of $4: $(wc -l < "$out/verify/own") values"
}

check_cdo() {
    local name
    for name in by_servers by_clients; do
        check_operation $name temp_mean timselmean,4 temp
        check_operation $name temp_min timselmin,4 temp
        check_operation $name salt_max timselmax,4 salt
        check_operation $name sst_mean timselmean,4 sst
        check_operation $name mld_min timselmin,4 mld
        check_operation $name mld_max timselmax,4 mld
        check_operation $name wspd_mean timselmean,4 wspd
    done
    check_operation every_other_day temp_mean timselmean,8 temp
}

# The whole grid: the table of each layout, and of the same clients that write by themselves.
measure() {
    local layout clients
    for layout in "${layouts[@]}"; do
        run "$layout" "$out/$layout" "$here/iodef.xml"
        cat "$out/$layout/log"
        echo
    done
    clients=$(awk '{ print $2; exit }' "$out/${layouts[0]}/log")
    run "$clients+0" "$out/$clients+0" "$here/iodef.xml"
    cat "$out/$clients+0/log"
    echo
}

draw() {
    local dir=$out/${layouts[0]}
    cdo -s -w outputf,'%g ',360 -selname,sst_mean -seltimestep,-1 "$dir/surface_daily.nc" > "$out/sst"
    cdo -s outputf,'%g ',1081 "$IOSERVER_DATA/etopo20.cdf" > "$out/relief"
    rm -f "$out/sst.png"
    gnuplot -e "sst='$out/sst'; relief='$out/relief'; step=1; png='$out/sst.png'" \
        -e "headline='Mean sea surface temperature of the last day'" \
        -e "note='Levitus, then ten days of the model.'" "$here/../map.gp"
    if [ -s "$out/sst.png" ]; then report ok "$out/sst.png"; else report wrong "no picture"; fi
}

mkdir -p "$out/verify"
echo "An ocean model and its IO servers, as threads. Every third point, 24 steps, each layout in both formats:"
for layout in "${layouts[@]}"; do
    verify "$layout" cdf5
    verify "$layout" netcdf4
    printf '  %s\n' "$(head -n 1 "$out/verify/$layout/netcdf4/log")"
done
echo "Same bits as ${layouts[0]}:"
check_bytes
echo "Compared with CDO, which computes from the values of each step:"
check_cdo
echo
echo "The whole grid:"
measure
echo "Map of the last day's mean sea surface temperature:"
draw
echo
if [ $failures -gt 0 ]; then
    echo "ioserver: FAILED: $failures of the checks above are wrong"
    exit 1
fi
echo "ioserver: PASSED: ${layouts[*]} give the same bits, and CDO's numbers; results in $out"
