/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trial.h: a scenario is repeated until none of the library's allocations in it is left that has not failed once, in each
 * process in turn: alone, and with all that come after it. Now and then there are new endpoints, so that pools are empty.
 *
 * After each failure every endpoint must have come back, with success and the right data or with MPI_ERR_NO_MEM; and the
 * communicators must be usable as before. What the library holds must not grow with each failure of one kind.
 */
#ifndef EP_ALLOC_TRIAL_H
#define EP_ALLOC_TRIAL_H

#include "harness.h"
#include "inject.h"

struct trial {
    team_t *team;
    ep_comm comm; /* a duplicate of the team's */
    int rank, size;
    bool wrong; /* data or states are */
};

struct scenario {
    const char *name;
    /* In every endpoint; an error class. */
    int (*run)(struct trial *x);
    /* A creation: all have it or nobody has. */
    bool agrees;
    int also; /* an error class that fits besides MPI_ERR_NO_MEM; 0: none */
};

enum { TRIAL_ENDPOINTS = 128 }; /* at most */

/* Run them all; with trials_at_once only with all allocations failing from one of the first on. */
void trials_at_once(const struct scenario list[], int n);
void trials(const struct scenario list[], int n);
#define TRIALS(list) trials(list, (int)(sizeof(list) / sizeof((list)[0])))

/* What a scenario does with the result of a call: the first error counts. From then on the process has memory again, as that
 * of a program that has freed some. */
void note(struct trial *x, int *rc, int got);

/* In a scenario, by all endpoints: what comes is not part of it, or is again. Allocations are counted from the beginning then. */
void trial_quiet(struct trial *x);
void trial_arm(struct trial *x);

/* Tell all what this endpoint has; nothing of ep is needed. */
void share(struct trial *x, int mine, int all[]);

/* Something is not as it should be. */
void wrong_if(struct trial *x, bool is, const char *what);

/* What the library keeps for itself goes into requests of operations that are over, and are not waited for until digest. From then on
 * there is no memory. */
ep_request *trial_eat(struct trial *x);
void trial_digest(struct trial *x, ep_request *eaten);

#endif
