/* SPDX-License-Identifier: BSD-3-Clause */
/* The predefined types of MPI that accumulates may use, for the tests of src/rma/atomic.h. */
#ifndef EP_TEST_ATOMIC_H
#define EP_TEST_ATOMIC_H

#include <mpi.h>
#include <stdbool.h>

/* What the elements are to a test. */
enum sort { INT, UINT, BOOLEAN, FLOAT, DOUBLE, LONG_DOUBLE, QUAD, BYTES };

struct sample {
    const char *name;
    MPI_Datatype mpi;
    const char *group;    /* MPI 5.9.2 */
    enum sort sort;       /* of the number, of one part, of a pair's value */
    enum sort index_sort; /* of a pair */
};

extern const struct sample samples[];
extern const int nsamples;

struct sample_op {
    const char *name;
    MPI_Op mpi;
    const char *groups; /* for which it is defined: all that are named here */
};

extern const struct sample_op sample_ops[];
extern const int nsample_ops;

bool is_defined(const struct sample_op *op, const struct sample *type);

#endif
