/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * EP_STATS=1: what was counted for each endpoint (base/counters.h), as one table at the end.
 *
 * Endpoints are told apart by their rank in the communicator they were made with; those of later calls of
 * ep_comm_create_endpoints are added to those of the same rank. Values are kept when an endpoint goes. The table is printed in
 * MPI_Finalize, before anything of MPI has ended (process_at_end). There all processes of
 * MPI_COMM_WORLD come together if they once made endpoints together: then all have the setting, or none.
 */
#ifndef EP_OBSERVE_STATS_H
#define EP_OBSERVE_STATS_H

#include "comm/comm.h"

struct stats_row {
    int rank;
    uint64_t value[COUNTERS];
};

/* With the setting endpoints were made, on all processes or not. Between mpi_enter and mpi_leave, as are the other observers'. */
void stats_begin(bool everybody);

/* A hook: the endpoint's values are kept. */
void stats_keep(struct endpoint *p);

/* All endpoints of this process till now, also those that are still open; malloc'd, *n of them. NULL without memory or
 * if there was none. */
struct stats_row *stats_collect(int *n);

/* Print a table: rows are sorted, and those of one rank added. whose: "4 endpoints", for the title. */
void stats_print(struct stats_row rows[], int n, const char *of);

/* far_stats.c: the end of MPI. everybody: all processes of MPI_COMM_WORLD are in it, too. */
void stats_end(bool everybody);

#endif
