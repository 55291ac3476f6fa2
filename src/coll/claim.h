/* SPDX-License-Identifier: BSD-3-Clause */
/* EP_CHECK: what an endpoint says of its call, and whether what all say fits together. */
#ifndef EP_COLL_CLAIM_H
#define EP_COLL_CLAIM_H

#include "coll/op.h"

enum { CLAIM_NAME = 32, CLAIM_NO_ROOT = -1, CLAIM_NO_OPERATOR = -1 };

/* Numbers of bytes that are none. */
#define CLAIM_NOTHING UINT64_MAX       /* not significant here */
#define CLAIM_VARYING (UINT64_MAX - 1) /* a portion for each peer follows the claim */

/* Travels between processes as it is. After it: give of each peer, if it varies, then take likewise. */
struct claim {
    char name[CLAIM_NAME];
    int kind;
    int rank;                   /* union rank of the endpoint */
    int root;                   /* union rank; CLAIM_NO_ROOT: MPI_PROC_NULL */
    int said;                   /* the root as the user gave it */
    int operation;              /* claim_operator's number */
    struct family given, taken; /* of the numbers in give and take */
    int unused;
    uint64_t counts;               /* hash of reduce_scatter's */
    uint64_t give, take;           /* bytes of a block */
    struct signature gives, takes; /* of a block */
};

/* What follows a claim, for each peer. */
struct portion {
    uint64_t bytes;
    struct signature signature;
};

struct verdict {
    int rc;
    char text[256];
};

/* Claims of all endpoints of this process, one after the other; malloc'd. NULL without memory. */
char *claims_of(const struct op *o, size_t *bytes);

/* claims[process], of all processes, NULL where it did not come. */
void claims_judge(const struct comm *c, char *const claims[], struct verdict *v);

/* Number of an operator that is the same in all processes; all those of users are alike if they commute or do not. */
int claim_operator(MPI_Op op);
const char *claim_operator_name(int number);

#endif
