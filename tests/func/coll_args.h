/* SPDX-License-Identifier: BSD-3-Clause */
/* coll_args.h: arguments for collective calls, good and bad ones, and what a call with bad ones gives. */
#ifndef EP_TEST_COLL_ARGS_H
#define EP_TEST_COLL_ARGS_H

#include "traffic.h"
#include <stdio.h>

enum { MANY = TRAFFIC_MAX };

/* Good arguments for any call on up to MANY endpoints, one int for each. */
typedef struct {
    int send[MANY], recv[MANY], ones[MANY], displs[MANY], bad[MANY], bytes[MANY];
    MPI_Aint far[MANY];
    MPI_Datatype ints[MANY], wrong[MANY];
    ep_request request;
} args;

static inline void good_arguments(args *a)
{
    for (int i = 0; i < MANY; i++) {
        a->send[i] = i;
        a->recv[i] = -1;
        a->ones[i] = 1;
        a->displs[i] = i;
        a->far[i] = a->bytes[i] = i * (int)sizeof(int);
        a->bad[i] = i ? 1 : -7;
        a->ints[i] = MPI_INT;
        a->wrong[i] = i ? MPI_INT : MPI_DATATYPE_NULL;
    }
    a->request = EP_REQUEST_NULL;
}

static inline void refused(int rc, int want, const char *call, const char *argument)
{
    char text[MPI_MAX_ERROR_STRING] = "", start[64];
    int length = 0;
    if (!EXPECT_RC(rc, want))
        return;
    EXPECT_OK(ep_error_string(rc, text, &length));
    snprintf(start, sizeof start, "%s: ", call);
    EXPECT_CONTAINS(text, start);
    EXPECT_CONTAINS(text, argument);
}

/* The communicator is as good as ever. */
static inline void still_good(ep_comm comm)
{
    int one = 1, sum = 0, n = peers_of(comm);
    EXPECT_OK(ep_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
    EXPECT_EQ(sum, n);
}

#endif
