/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end that a process cannot tell of: SIGKILL, by a system that has no memory left, a batch system, a user. mpirun tells of
 * processes that it started. One without mpirun has a small process beside it, which waits for its end and says what
 * has not been said.
 */
#ifndef EP_EPRUN_WATCH_H
#define EP_EPRUN_WATCH_H

#include "eprun/eprun.h"

/* Before MPI starts: there are no other threads yet. */
void watch_start(void);

/* Who will be concerned. */
void watch_endpoints(const struct eprun_rank endpoints[], int n);

/* Nothing more is to be said about this process's end. Also in signal handlers; without effect in its children. */
void watch_told(void);

#endif
