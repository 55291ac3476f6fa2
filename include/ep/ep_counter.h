/* SPDX-License-Identifier: BSD-3-Clause */
/* ep_counter.h: the part of ep.h about what is counted for each endpoint. Included by ep.h. In the spirit
 * of MPI's performance variables (MPI 14.3.7), for programs that look at themselves. docs/counters.md has
 * the list, EP_STATS=1 prints them all at the end. */
#ifndef EP_EP_COUNTER_H
#define EP_EP_COUNTER_H

#include "ep.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds: a count only grows, a level is what there is now, a peak is the highest level so far. */
#define EP_COUNTER_COUNT 0
#define EP_COUNTER_LEVEL 1
#define EP_COUNTER_PEAK 2

/* *count = how many counters there are. They are numbered from 0 to *count - 1; the numbers may change
 * with ep's version, the names stay. Local; callable before MPI is initialised. Errors of this and the
 * next two: MPI_ERR_ARG (null pointer, no such counter). */
EP_PUBLIC int ep_counter_count(int *count);
/* What counter index is: texts that stay for ever, unit "messages", "bytes", "calls" ..., and one of the
 * kinds above. Null pointers are not wanted. Local. */
EP_PUBLIC int ep_counter_info(int index, const char **name, const char **meaning, const char **unit,
                              int *kind);
/* The index of a name. Local. */
EP_PUBLIC int ep_counter_find(const char *name, int *index);

/* The value for comm's endpoint, over all its communicators and windows, since the endpoint was made or
 * ep_counter_reset was called. Any thread, also while others are inside ep with the endpoint; what they
 * are just doing may be missing. Exact for what was complete before, with one exception: of two threads
 * (or tasks) that send with one endpoint at the same instant, one may go uncounted. Local. Errors:
 * MPI_ERR_COMM, MPI_ERR_ARG. */
EP_PUBLIC int ep_counter_read(ep_comm comm, int index, MPI_Count *value);
/* As ep_counter_read for the first n counters (0 to *count), which are written to values. Local. Errors:
 * MPI_ERR_COMM, MPI_ERR_ARG. */
EP_PUBLIC int ep_counter_read_all(ep_comm comm, int n, MPI_Count values[]);
/* Counts of comm's endpoint begin anew at 0, peaks at the present level. EP_STATS does not notice. Local. */
EP_PUBLIC int ep_counter_reset(ep_comm comm);

#ifdef __cplusplus
}
#endif

#endif
