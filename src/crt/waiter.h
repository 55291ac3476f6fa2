/* SPDX-License-Identifier: BSD-3-Clause */
/* One per thread that ever slept in crt_wait; never freed, recycled when its thread ends. */
#ifndef EP_CRT_WAITER_H
#define EP_CRT_WAITER_H

#include "crt/bell.h"

struct waiter {
    struct waiter *next; /* free list or list of all, under the list's lock */
    struct bell bell;
};

struct waiter *waiter_self(void);

#endif
