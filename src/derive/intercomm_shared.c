/* SPDX-License-Identifier: BSD-3-Clause */
#include "derive/intercomm_shared.h"

#include <stdlib.h>

#include "p2p/p2p.h"

static struct lock shared_lock = LOCK_FREE(INTERCOMMS);
static struct intercomm_shared *shared; /* with one group; under shared_lock */

static struct intercomm_shared *intercomm_shared_take(const uint64_t key[2])
{
    lock_assert_held(&shared_lock);
    struct intercomm_shared **at = &shared, *j;
    while ((j = *at) && (j->key[0] != key[0] || j->key[1] != key[1]))
        at = &j->next;
    if (j)
        *at = j->next;
    return j;
}

struct intercomm_shared *intercomm_shared_join(const uint64_t key[2], int side, struct gather *m,
                                               struct endpoint *endpoint, bool *builds)
{
    lock_acquire(&shared_lock);
    struct intercomm_shared *j = intercomm_shared_take(key);
    *builds = j;
    if (!j && (j = calloc(1, sizeof *j))) {
        j->key[0] = key[0];
        j->key[1] = key[1];
        j->first = endpoint;
        j->next = shared;
        shared = j;
    }
    if (j)
        j->gather[side] = m;
    if (*builds)
        j->second = endpoint;
    lock_release(&shared_lock);
    return j;
}

/* Nobody else came. */
static bool unlink_alone(struct intercomm_shared *j)
{
    lock_assert_held(&shared_lock);
    struct intercomm_shared **at = &shared;
    while (*at && *at != j)
        at = &(*at)->next;
    if (!*at)
        return false;
    *at = j->next;
    return true;
}

/* A vote that was won was won by both leaders, so both have come. */
bool intercomm_shared_voted(struct intercomm_shared *j, bool builds, int rc)
{
    if (builds) {
        wait_flag(j->second, &j->voted, -1);
        return true;
    }
    lock_acquire(&shared_lock);
    bool alone = rc != MPI_SUCCESS && unlink_alone(j);
    struct endpoint *endpoint = j->second;
    lock_release(&shared_lock);
    if (alone) {
        free(j);
        return false;
    }
    store_release(&j->voted, true);
    evcount_notify(&endpoint->evcount);
    return true;
}

void intercomm_shared_end(struct intercomm_shared *j)
{
    struct endpoint *endpoint = j->first;
    store_release(&j->done, true);
    evcount_notify(&endpoint->evcount);
}

void intercomm_shared_wait(struct intercomm_shared *j)
{
    wait_flag(j->first, &j->done, -1);
    free(j);
}
