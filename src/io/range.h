/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bytes of a file that one endpoint has locked. Against other processes, and other openings of the file in
 * this one, the kernel's locks of open files do (fcntl, F_OFD_SETLK). Those of one descriptor do not exclude
 * each other, and unlocking a part takes it from all; so the endpoints of the process first exclude each
 * other by a list, readers too.
 */
#ifndef EP_IO_RANGE_H
#define EP_IO_RANGE_H

#include "comm/comm.h"

/* One lock, in its holder's stack frame. */
struct file_range {
    struct file_range *next;
    int64_t from, to; /* [from, to) */
};

struct file_ranges {
    struct lock lock;
    struct file_range *held; /* under lock */
};

static inline void file_ranges_init(struct file_ranges *all)
{
    lock_init(&all->lock, LOCK_RANGES);
    all->held = NULL;
}

/* Wait until nobody else has any of these bytes; what for says whether others may read them elsewhere. An
 * errno. No lock is held. */
int file_range_lock(struct file_ranges *all, int fd, struct file_range *r, bool writes);
void file_range_unlock(struct file_ranges *all, int fd, struct file_range *r);

#endif
