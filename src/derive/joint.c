/* SPDX-License-Identifier: BSD-3-Clause */
#include "derive/joint.h"

#include <stdlib.h>

#include "p2p/p2p.h"

static struct lock joints_lock = LOCK_FREE(JOINTS);
static struct joint *joints; /* with one group; under joints_lock */

static struct joint *take(const uint64_t key[2])
{
    lock_assert_held(&joints_lock);
    struct joint **at = &joints, *j;
    while ((j = *at) && (j->key[0] != key[0] || j->key[1] != key[1]))
        at = &j->next;
    if (j)
        *at = j->next;
    return j;
}

struct joint *joint_come(const uint64_t key[2], int side, struct meeting *m, struct port *port, bool *builds)
{
    lock_acquire(&joints_lock);
    struct joint *j = take(key);
    *builds = j;
    if (!j && (j = calloc(1, sizeof *j))) {
        j->key[0] = key[0];
        j->key[1] = key[1];
        j->first = port;
        j->next = joints;
        joints = j;
    }
    if (j)
        j->meeting[side] = m;
    if (*builds)
        j->second = port;
    lock_release(&joints_lock);
    return j;
}

/* Nobody else came. */
static bool unlink_alone(struct joint *j)
{
    lock_assert_held(&joints_lock);
    struct joint **at = &joints;
    while (*at && *at != j)
        at = &(*at)->next;
    if (!*at)
        return false;
    *at = j->next;
    return true;
}

/* A vote that was won was won by both heads, so both have come. */
bool joint_voted(struct joint *j, bool builds, int rc)
{
    if (builds) {
        wait_flag(j->second, &j->voted, -1);
        return true;
    }
    lock_acquire(&joints_lock);
    bool alone = rc != MPI_SUCCESS && unlink_alone(j);
    struct port *port = j->second;
    lock_release(&joints_lock);
    if (alone) {
        free(j);
        return false;
    }
    store_release(&j->voted, true);
    bell_ring(&port->bell);
    return true;
}

void joint_end(struct joint *j)
{
    struct port *port = j->first;
    store_release(&j->done, true);
    bell_ring(&port->bell);
}

void joint_wait(struct joint *j)
{
    wait_flag(j->first, &j->done, -1);
    free(j);
}
