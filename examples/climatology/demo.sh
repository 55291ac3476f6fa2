#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Run the climatology in several layouts, compare its results with CDO's and draw the SST.
#     demo.sh BUILD_DIR [OUT_DIR [LAYOUT...]]     a layout is PROCESSESxTHREADS
# CLIMATOLOGY_DATA names the folder of the input, MPIEXEC the launcher.
set -euo pipefail
export LC_ALL=C

build=${1:?usage: demo.sh BUILD_DIR [OUT_DIR [LAYOUT...]]}
out=${2:-out/climatology}
layouts=("${@:3}")
[ ${#layouts[@]} -gt 0 ] || layouts=(1x8 2x4 4x2)
here=$(dirname "$0")
program=$build/examples/climatology/climatology
fields=(sst uwnd vwnd wspd)
failures=0

# Debian's ferret-datasets is where dpkg says it is.
data=${CLIMATOLOGY_DATA:-$(dirname "$(dpkg -L ferret-datasets | grep '/coads_climatology\.cdf$')")}
input=$data/coads_climatology.cdf

# Root, more ranks than cores, threads that need all cores, no ssh: said through the environment,
# which Open MPI 4, its successor and MPICH each take or ignore.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm=isolated
export PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1 HYDRA_LAUNCHER=fork
export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
export OMPI_MCA_hwloc_base_binding_policy=none PRTE_MCA_hwloc_default_binding_policy=none

report() { # ok|wrong, text
    printf '  %-5s  %s\n' "$1" "$2"
    [ "$1" = ok ] || failures=$((failures + 1))
}

run_layout() {
    local dir=$out/$1
    mkdir -p "$dir"
    rm -f "$dir"/*.nc
    timeout 120 "${MPIEXEC:-mpirun}" -n "${1%x*}" "$program" "${1#*x}" "$input" "$dir" > "$dir/log" || {
        local status=$?
        cat "$dir/log"
        echo "demo: FAILED: layout $1 ended with status $status"
        exit 1
    }
    printf '  %s\n' "$(tail -n 1 "$dir/log")"
}

numbers() { # the values of a cdo expression, one per line
    cdo -s --double outputf,%.17g,1 "$@"
}

# Same number of values, missing where the other is missing, else relatively closer than the bound.
agree() { # text, bound, file of ours, file of cdo's
    local verdict
    verdict=$(paste "$3" "$4" | awk -v bound="$2" '
        NF != 2 { broken++; next }
        $1 < -9e33 || $2 < -9e33 { if ($1 < -9e33 && $2 < -9e33) missing++; else broken++; next }
        { d = $1 - $2; d = d < 0 ? -d : d; s = $2 < 0 ? -$2 : $2; n++
          if (d > bound * s) broken++
          if (s > 0 && d / s > worst) worst = d / s }
        END { printf "%s %d values, %d missing, largest relative difference %.1e (bound %.1e)",
              (n > 0 && !broken ? "ok" : "wrong"), n, missing, worst, bound }')
    report "${verdict%% *}" "$1: ${verdict#* }"
}

# CDO's own cell areas have great circles as northern and southern edges, which shifts a global mean
# by 4e-5 of itself. Given the area between circles of latitude (proportional to cos lat), it must agree.
area() {
    cdo -s --double -O -b F64 -expr,'area=cos(rad(clat(SST)))' -seltimestep,1 -selname,SST "$input" \
        "$out/check/area.nc"
}

# field, CDO operators that compute it from the input, bound. Reasons for the bounds: months that
# are only passed on are exact; sums in double differ by their order (1e-12); each rounding to float
# is at most 2^-24 = 6e-8 (annual means once; the wind speed once per month, then once per year).
check_field() {
    local field=$1 own=$out/${layouts[0]}/$1.nc rounding=$2 check=$out/check
    cdo -s --double -O -b F64 "${@:3}" "$input" "$check/$field.nc"
    numbers -selname,"$field" "$own" > "$check/own"
    numbers -sellonlatbox,0,360,-90,90 "$check/$field.nc" > "$check/cdo"
    agree "$field, months" "$rounding" "$check/own" "$check/cdo"
    numbers -selname,"${field}_global_mean" "$own" > "$check/own"
    numbers -fldmean -setgridarea,"$check/area.nc" "$check/$field.nc" > "$check/cdo"
    agree "$field, global means" "$(awk "BEGIN { print 1e-12 + $rounding }")" "$check/own" "$check/cdo"
    numbers -selname,"${field}_annual_mean" "$own" > "$check/own"
    numbers -sellonlatbox,0,360,-90,90 -timmean "$check/$field.nc" > "$check/cdo"
    agree "$field, annual mean" "$(awk "BEGIN { print 6e-8 + $rounding }")" "$check/own" "$check/cdo"
}

check_bytes() { # every file of every layout against the first layout's
    local layout field
    for layout in "${layouts[@]:1}"; do
        for field in "${fields[@]}"; do
            if cmp "$out/${layouts[0]}/$field.nc" "$out/$layout/$field.nc"; then
                report ok "$layout/$field.nc"
            else
                report wrong "$layout/$field.nc"
            fi
        done
    done
}

draw() {
    cdo -s outputf,'%g ',180 -sellonlatbox,20,380,-90,90 -selname,sst_annual_mean \
        "$out/${layouts[0]}/sst.nc" > "$out/check/sst"
    cdo -s outputf,'%g ',1081 "$data/etopo20.cdf" > "$out/check/relief"
    rm -f "$out/sst.png"
    gnuplot -e "sst='$out/check/sst'; relief='$out/check/relief'; step=2; png='$out/sst.png'" \
        -e "headline='Annual mean sea surface temperature'" \
        -e "note='COADS 2° climatology, mean over the months with observations.'" "$here/../map.gp"
    if [ -s "$out/sst.png" ]; then report ok "$out/sst.png"; else report wrong "no picture"; fi
}

mkdir -p "$out/check"
echo "COADS climatology, 12 months, by models and servers that are threads (processes x threads):"
for layout in "${layouts[@]}"; do run_layout "$layout"; done
echo
sed '$d' "$out/${layouts[0]}/log"
echo
echo "Compared with CDO, computing from the source file:"
area
check_field sst 0 -chname,SST,sst -selname,SST
check_field uwnd 0 -chname,UWND,uwnd -selname,UWND
check_field vwnd 0 -chname,VWND,vwnd -selname,VWND
check_field wspd 6e-8 -expr,'wspd=sqrt(UWND*UWND+VWND*VWND)'
echo "Same bytes as ${layouts[0]}:"
check_bytes
echo "Map of the annual mean SST:"
draw
echo
if [ $failures -gt 0 ]; then
    echo "demo: FAILED: $failures of the checks above are wrong"
    exit 1
fi
echo "demo: PASSED: ${layouts[*]} give the same bytes, and CDO's numbers; results in $out"
