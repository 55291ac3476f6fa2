/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The last part of the reserve (reserve.h) is for messages of ep's own that arrive before anybody awaits them. Without memory such a
 * message stays the first of its inbox, and what is awaited may be behind it: so there has to be some, whatever else has used up the rest.
 */
#ifndef EP_BASE_ARRIVED_H
#define EP_BASE_ARRIVED_H

#include "base/pool.h"
#include "base/reserve.h"

enum { RESERVE_LAST = RESERVE_UNITS / 4 };

/* reserve_take, from all of the reserve. */
void *reserve_take_last(size_t bytes);
/* pool_get_reserve, likewise. */
void *pool_get_last(struct pool *p);

#endif
