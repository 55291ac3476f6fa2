/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EP_COLL_SCAN_H
#define EP_COLL_SCAN_H

#include "coll/reduction.h"

enum { SCAN_TEMPS = 2 }; /* temporaries of the caller's that an exclusive scan uses */

/*
 * Scan a chunk: elements [first, first + n) of the inputs of n_args endpoints in rank order, to their
 * outputs. before: the reduction of all ranks before the first; NULL if there is none, and then an exclusive
 * scan leaves the first output alone. Always ((x0 op x1) op x2)..., so the bits do not depend on who lives
 * where. Output i may be input i.
 */
int scan_chunk(const struct reduction *f, struct coll_args *const *args, int n_args, const char *before,
               size_t first, size_t n);

#endif
