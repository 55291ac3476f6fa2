/* SPDX-License-Identifier: BSD-3-Clause */
/* EP_CHECK: what an endpoint says of its call, and whether what all say fits together. */
#ifndef EP_COLL_CHECK_H
#define EP_COLL_CHECK_H

#include "coll/op.h"

enum { CHECK_RECORD_NAME = 32, CHECK_RECORD_NO_ROOT = -1, CHECK_RECORD_NO_OPERATOR = -1 };

/* Numbers of bytes that are none. */
#define CHECK_RECORD_NOTHING UINT64_MAX       /* not significant here */
#define CHECK_RECORD_VARYING (UINT64_MAX - 1) /* a portion for each peer follows the record */

/* Travels between processes as it is. After it: give of each peer, if it varies, then take likewise. */
struct check_record {
    char name[CHECK_RECORD_NAME];
    int kind;
    int rank;                   /* union rank of the endpoint */
    int root;                   /* union rank; CHECK_RECORD_NO_ROOT: MPI_PROC_NULL */
    int said;                   /* the root as the user gave it */
    int operation;              /* check_record_operator's number */
    struct family given, taken; /* of the numbers in give and take */
    int unused;
    uint64_t counts;               /* hash of reduce_scatter's */
    uint64_t give, take;           /* bytes of a block */
    struct signature gives, takes; /* of a block */
};

/* What follows a record, for each peer. */
struct portion {
    uint64_t bytes;
    struct signature signature;
};

struct check_result {
    int rc;
    char text[256];
};

/* Records of all endpoints of this process, one after the other; malloc'd. NULL without memory. */
char *check_records_of(const struct op *o, size_t *bytes);

/* check_records[process], of all processes, NULL where it did not come. */
void check_records_compare(const struct comm *c, char *const check_records[], struct check_result *v);

/* Number of an operator that is the same in all processes; all those of users are alike if they commute or do
 * not. */
int check_record_operator(MPI_Op op);
const char *check_record_operator_name(int number);

#endif
