/* SPDX-License-Identifier: BSD-3-Clause */
/* input.h: the start data: temperature and salinity of the oceans by Levitus, sea surface and winds by COADS, both of
 * Debian's ferret-datasets. */
#ifndef INPUT_H
#define INPUT_H

#include "job.h"
#include "ranks.h"

enum { MONTHS = 12 };

/* Of one block: [level][row][column] and [month][row][column]. Missing where the grid says so. */
struct start {
    struct block block;
    float *temp, *salt;
    float *sst, *u_wind, *v_wind; /* degrees Celsius; m/s */
};

/* The grid, of every options.coarsen-th point. Before there are endpoints. */
void read_grid(struct job *job);
void free_grid(struct job *job);

/* One client's block. Collective over the clients, of which one in each process reads at a time: netCDF-C is not
 * thread-safe. */
void read_start(const struct job *job, ep_comm clients, struct start *start);
void free_start(struct start *start);

#endif
