/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/range.h"

#include <errno.h>
#include <fcntl.h>

struct range_attempt {
    struct file_ranges *all;
    int fd;
    struct file_range *range;
    bool writes;
    int error;
};

static bool range_enter(struct file_ranges *all, struct file_range *r)
{
    lock_acquire(&all->lock);
    const struct file_range *other = all->held;
    while (other && (other->to <= r->from || r->to <= other->from))
        other = other->next;
    if (!other) {
        r->next = all->held;
        all->held = r;
    }
    lock_release(&all->lock);
    return !other;
}

static void range_leave(struct file_ranges *all, const struct file_range *r)
{
    lock_acquire(&all->lock);
    struct file_range **link = &all->held;
    while (*link != r)
        link = &(*link)->next;
    *link = r->next;
    lock_release(&all->lock);
}

/* An errno. */
static int range_ask_kernel(int fd, const struct file_range *r, short type)
{
    struct flock l = {.l_type = type, .l_whence = SEEK_SET, .l_start = r->from, .l_len = r->to - r->from};
    int rc;
    do
        rc = fcntl(fd, F_OFD_SETLK, &l);
    while (rc < 0 && errno == EINTR);
    return rc < 0 ? errno : 0;
}

/* All or nothing, so nobody waits for a second one with a first one in hand. */
static bool range_attempt(void *arg)
{
    struct range_attempt *a = arg;
    if (!range_enter(a->all, a->range))
        return false;
    a->error = range_ask_kernel(a->fd, a->range, a->writes ? F_WRLCK : F_RDLCK);
    if (a->error != EAGAIN && a->error != EACCES)
        return true;
    range_leave(a->all, a->range);
    return false;
}

int file_range_lock(struct file_ranges *all, int fd, struct file_range *r, bool writes)
{
    struct range_attempt a = {all, fd, r, writes, 0};
    wait_for(range_attempt, &a, POLICY_FILE_RANGE);
    if (a.error)
        range_leave(all, r);
    return a.error;
}

void file_range_unlock(struct file_ranges *all, int fd, struct file_range *r)
{
    range_ask_kernel(fd, r, F_UNLCK);
    range_leave(all, r);
}
