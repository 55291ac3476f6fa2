# SPDX-License-Identifier: BSD-3-Clause
# Map of sea surface temperatures. Given with -e: sst and relief (files of rows of cells, 20 E to 380 E, from the
# south pole up, step and 1/3 degrees apart), step, headline, note, png.

if (strstrt(GPVAL_TERMINALS, "pngcairo")) {
    set terminal pngcairo size 1500,860 font 'DejaVu Sans,15' background rgb 'white'
} else {
    set terminal png truecolor size 1500,860 font 'DejaVu Sans,13'
}
# Contours first, into a table: the map proper is made of images.
set contour base
set cntrparam levels incremental 0, 5, 30
unset surface
set table $contours
splot sst matrix using (20 + step/2. + step*$1):(-90 + step/2. + step*$2):(abs($3) > 1e9 ? NaN : $3) with lines
unset table

set output png
set title headline font ',22' offset 0,0.4
set label 1 \
    note." Contours every 5 °C; light grey: no data; dark grey: land" \
    at graph 0.5,-0.105 center font ',13' textcolor rgb '#555555'
set lmargin at screen 0.055
set rmargin at screen 0.905
set tmargin at screen 0.915
set bmargin at screen 0.125

set xrange [20:380]
set yrange [-90:90]
set xtics ("60°E" 60, "120°E" 120, "180°" 180, "120°W" 240, "60°W" 300, "0°" 360) out nomirror
set mxtics 2
set ytics ("60°S" -60, "30°S" -30, "0°" 0, "30°N" 30, "60°N" 60, "90°N" 90, "90°S" -90) out nomirror
set border 15 lw 1 linecolor rgb '#444444'
set object 1 rectangle from graph 0,0 to graph 1,1 fillcolor rgb '#dcdee0' fillstyle solid noborder behind

# Dark for cold, bright for warm, even in lightness: readable in grey and for the colour-blind.
set palette defined (-2 '#042333', 2 '#0c2a6b', 7 '#4a3593', 12 '#7b4a8c', 17 '#ab5a80', \
                     21 '#d86a6a', 25 '#f5874a', 28 '#fbb33c', 30 '#e8fa5b')
set cbrange [-2:30]
set cbtics 0,5,30 out nomirror
set label 2 "°C" at screen 0.93,0.94 center
set colorbox user origin screen 0.922,0.125 size screen 0.016,0.79

unset key
plot sst matrix using (20 + step/2. + step*$1):(-90 + step/2. + step*$2):(abs($3) > 1e9 ? NaN : $3) with image, \
     $contours using 1:2 with lines linecolor rgb '#a0ffffff' linewidth 1.2, \
     relief matrix using (20 + 1./6 + $1/3):(-90 + 1./6 + $2/3):(88):(92):(96):($3 > 0 ? 255 : 0) \
         with rgbalpha
