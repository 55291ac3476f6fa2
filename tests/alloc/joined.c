/* SPDX-License-Identifier: BSD-3-Clause */
/* Two groups are joined when there is no memory at all: leaders that have none each tell the other before they wait for it. */
#include "trial.h"

#include <stdlib.h>
#include <time.h>

enum { POSTED = 20000 };

/* The library's memory, and what it has put aside for requests: that of all, or of rank 0, which then has waited for a while when its
 * partner's message comes. */
static int joined_by(struct trial *x, bool one)
{
    ep_comm half, both = EP_COMM_NULL;
    ep_request *posted = xmalloc(POSTED * sizeof *posted), *eaten;
    int rc = MPI_SUCCESS, odd = x->rank % 2, n = 0, unused;
    trial_quiet(x);
    wrong_if(x, ep_comm_split(x->comm, odd, x->rank, &half) != MPI_SUCCESS, "no half");
    EXPECT_OK(ep_comm_set_errhandler(half, EP_ERRORS_RETURN));
    eaten = trial_eat(x);
    bool starved = !one || x->rank == 0;
    while (starved && n < POSTED &&
           ep_irecv(&unused, 1, MPI_INT, MPI_ANY_SOURCE, 4711, x->comm, &posted[n]) == MPI_SUCCESS)
        n++;
#pragma omp barrier
    if (!starved)
        nanosleep(&(struct timespec){0, 100 * 1000 * 1000}, NULL);
    note(x, &rc, ep_intercomm_create(half, 0, x->comm, !odd, 5, &both));
    trial_quiet(x);
    while (n-- > 0) {
        EXPECT_OK(ep_cancel(&posted[n]));
        EXPECT_OK(ep_wait(&posted[n], EP_STATUS_IGNORE));
    }
    trial_digest(x, eaten);
    free(posted);
    if (rc == MPI_SUCCESS)
        EXPECT_OK(ep_comm_free(&both));
    EXPECT_OK(ep_comm_free(&half));
    return rc;
}

static int joined(struct trial *x)
{
    return joined_by(x, false);
}

static int joined_late(struct trial *x)
{
    return joined_by(x, true);
}

static const struct scenario list[] = {
    {.name = "intercomm starved", .run = joined, .agrees = true},
    {.name = "intercomm starved, late", .run = joined_late, .agrees = true}};

static void all(void)
{
    trials_at_once(list, 2);
}

static const harness_test tests[] = {{"joined", NULL, all}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "alloc joined", tests);
}
