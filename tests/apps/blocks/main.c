/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * blocks: adaptive blocks whose owners change with the load. Messages are as many as blocks have neighbours; a
 * block is worked on as soon as its own have come. Rank 0 does the same again alone, and both must agree.
 *     blocks [-q] [-c cells along a block] [-s steps] [-a steps between two changes of the mesh]
 */
#include "blocks.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

static MPI_Comm comm = MPI_COMM_WORLD;
static int steps = 300, adapt_every = 6;

static void parse(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "qc:s:a:")) != -1)
        switch (c) {
        case 'q':
            cells_per_side = 8;
            steps = 60;
            break;
        case 'c':
            cells_per_side = atoi(optarg);
            break;
        case 's':
            steps = atoi(optarg);
            break;
        case 'a':
            adapt_every = atoi(optarg);
            break;
        default:
            fprintf(stderr, "usage: blocks [-q] [-c cells] [-s steps] [-a steps]\n");
            MPI_Abort(comm, 2);
        }
}

typedef struct {
    uint64_t checksum;
    int blocks;
    long split, merged;
} outcome;

static outcome simulate(MPI_Comm among)
{
    domain d;
    outcome o;
    domain_create(&d, among);
    for (int s = 0; s < steps; s++) {
        if (s % adapt_every == 0 && s > 0)
            domain_adapt(&d);
        domain_step(&d, s);
    }
    o = (outcome){domain_checksum(&d), d.m.count, d.split, d.merged};
    domain_free(&d);
    return o;
}

int main(int argc, char **argv)
{
    int rank, good = 1;
    outcome o, alone;
    double time;
    MPI_Init(&argc, &argv);
    parse(argc, argv);
    MPI_Comm_rank(comm, &rank);
    MPI_Barrier(comm);
    time = MPI_Wtime();
    o = simulate(comm);
    time = MPI_Wtime() - time;
    if (rank == 0) {
        alone = simulate(MPI_COMM_SELF);
        good = o.checksum == alone.checksum && o.blocks == alone.blocks && o.split == alone.split &&
               o.merged == alone.merged && o.split > 0 && o.merged > 0;
        printf("RESULT blocks %d split %ld merged %ld checksum %016llx %s\n", o.blocks, o.split, o.merged,
               (unsigned long long)o.checksum, good ? "PASSED" : "FAILED");
        printf("TIME blocks %.4f\n", time);
    }
    MPI_Bcast(&good, 1, MPI_INT, 0, comm);
    MPI_Finalize();
    return good ? 0 : 1;
}
