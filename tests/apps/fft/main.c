/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fft: a Fourier transform in three dimensions on pencils; processes are a grid of rows and columns, and a transpose is
 * an MPI_Alltoallv of one row or one column. A sum of plane waves has a spectrum that is known; what goes forth and back
 * comes back; and the spectrum of noise has the same bits, whichever processes have it.
 *     fft [-q] [-x points] [-y points] [-z points] [-r rounds]
 */
#include "fft.h"
#include <getopt.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

MPI_Comm fft_comm = MPI_COMM_WORLD;

static int n[3] = {64, 60, 64}, rounds = 24;

/* Each goes so many times along x, y and z. */
static const struct {
    int k[3];
    double height;
} waves[] = {{{1, 0, 2}, 2.0}, {{3, 7, -1}, 1.0}, {{0, -2, 5}, -0.5}, {{-5, 4, 4}, 0.25}};
enum { WAVES = sizeof waves / sizeof waves[0] };

void *fft_alloc(size_t count, size_t size)
{
    void *p = calloc(count + 1, size);
    if (p == NULL) {
        fprintf(stderr, "fft: no memory for %zu items\n", count);
        MPI_Abort(fft_comm, 2);
    }
    return p;
}

static void parse(int argc, char **argv)
{
    int c, good = 1;
    while ((c = getopt(argc, argv, "qx:y:z:r:")) != -1)
        switch (c) {
        case 'q':
            n[0] = 16;
            n[1] = 20;
            n[2] = 18;
            rounds = 2;
            break;
        case 'x':
        case 'y':
        case 'z':
            n[c - 'x'] = atoi(optarg);
            break;
        case 'r':
            rounds = atoi(optarg);
            break;
        default:
            good = 0;
        }
    for (int i = 0; i < 3; i++)
        good = good && n[i] >= 15 && line_length_is_good(n[i]);
    if (!good) {
        fprintf(stderr, "usage: fft [-q] [-x points] [-y points] [-z points] [-r rounds]\n"
                        "points: products of 2, 3 and 5, from 15\n");
        MPI_Abort(fft_comm, 2);
    }
}

static number sum_of_waves(int x, int y, int z)
{
    number sum = 0;
    for (int w = 0; w < WAVES; w++) {
        const int *k = waves[w].k;
        double turns = (double)k[0] * x / n[0] + (double)k[1] * y / n[1] + (double)k[2] * z / n[2];
        sum += waves[w].height * cexp(2 * M_PI * I * turns);
    }
    return sum;
}

static double points(void)
{
    return (double)n[0] * n[1] * n[2];
}

/* Of these waves. */
static number known_spectrum(int x, int y, int z)
{
    for (int w = 0; w < WAVES; w++) {
        const int *k = waves[w].k;
        if ((k[0] + n[0]) % n[0] == x && (k[1] + n[1]) % n[1] == y && (k[2] + n[2]) % n[2] == z)
            return waves[w].height * points();
    }
    return 0;
}

static uint64_t mix(uint64_t v)
{
    v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9u;
    v = (v ^ v >> 27) * 0x94d049bb133111ebu;
    return v ^ v >> 31;
}

static number noise(int x, int y, int z)
{
    uint64_t v = mix(((uint64_t)x * (uint64_t)n[1] + (uint64_t)y) * (uint64_t)n[2] + (uint64_t)z + 1);
    return number_of((double)(v >> 40) / (1 << 24) - 0.5, (double)(v >> 8 & 0xffffff) / (1 << 24) - 0.5);
}

static void fill(const pencils *p, number *field, number value(int, int, int))
{
    for (int x = 0; x < p->x.count; x++)
        for (int y = 0; y < p->y.count; y++)
            for (int z = 0; z < n[2]; z++)
                *field++ = value(p->x.first + x, p->y.first + y, z);
}

static double largest(double mine)
{
    double all;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, fft_comm);
    return all;
}

/* The largest error of what came back, as it is: not yet divided. */
static double field_error(const pencils *p, const number *field, number value(int, int, int))
{
    double mine = 0;
    for (int x = 0; x < p->x.count; x++)
        for (int y = 0; y < p->y.count; y++)
            for (int z = 0; z < n[2]; z++)
                mine = fmax(mine, cabs(*field++ / points() - value(p->x.first + x, p->y.first + y, z)));
    return largest(mine);
}

/* Of a spectrum, as a part of the number of points. */
static double spectrum_error(const pencils *p, const number *spectrum)
{
    double mine = 0;
    for (int z = 0; z < p->z.count; z++)
        for (int y = 0; y < p->y_along_x.count; y++)
            for (int x = 0; x < n[0]; x++)
                mine =
                    fmax(mine, cabs(*spectrum++ - known_spectrum(x, p->y_along_x.first + y, p->z.first + z)));
    return largest(mine / points());
}

/* Every bit of a spectrum, and where it is: each number is made of the same numbers in the same order everywhere. */
static uint64_t digest(const pencils *p, const number *spectrum)
{
    uint64_t mine = 0, all;
    for (int z = 0; z < p->z.count; z++)
        for (int y = 0; y < p->y_along_x.count; y++)
            for (int x = 0; x < n[0]; x++, spectrum++) {
                uint64_t bits[2],
                    at = ((uint64_t)(p->z.first + z) * (uint64_t)n[1] + (uint64_t)(p->y_along_x.first + y)) *
                             (uint64_t)n[0] +
                         (uint64_t)x;
                memcpy(bits, spectrum, sizeof bits);
                mine += mix(bits[0] + mix(bits[1] + mix(at)));
            }
    MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, fft_comm);
    return all;
}

/* How long one transform took. */
static double timed(void transform(pencils *, number *), pencils *p, number *data)
{
    double begun;
    MPI_Barrier(fft_comm);
    begun = MPI_Wtime();
    transform(p, data);
    return MPI_Wtime() - begun;
}

int main(int argc, char **argv)
{
    pencils p;
    number *data;
    double time = 0, there, back = 0;
    uint64_t bits = 0;
    int rank, good;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(fft_comm, &rank);
    parse(argc, argv);
    pencils_create(&p, n);
    data = fft_alloc(p.room, sizeof *data);
    fill(&p, data, sum_of_waves);
    pencils_forth(&p, data);
    there = spectrum_error(&p, data);
    p.moving = 0;
    for (int k = 0; k < rounds; k++) {
        fill(&p, data, noise);
        time += timed(pencils_forth, &p, data);
        bits = digest(&p, data);
        time += timed(pencils_back, &p, data);
        back = fmax(back, field_error(&p, data, noise));
    }
    good = there < 1e-12 && back < 1e-12;
    time = largest(time);
    if (rank == 0) {
        printf("RESULT fft %dx%dx%d rounds %d digest %016llx %s\n", n[0], n[1], n[2], rounds,
               (unsigned long long)bits, good ? "PASSED" : "FAILED");
        printf("TIME fft %.4f of which transposes %.4f\n", time, p.moving);
        if (!good)
            fprintf(stderr, "fft: largest errors %g there, %g back\n", there, back);
    }
    free(data);
    pencils_destroy(&p);
    MPI_Finalize();
    return good ? 0 : 1;
}
