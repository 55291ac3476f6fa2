/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Choice buffers of mpi_f08 whose elements do not follow each other (MPI 17.1.13). Each *_take finds what C's function is to get, or
 * raises an error and returns it; each is followed by its *_drop. Those whose elements do follow each other go through as they
 * are.
 */
#ifndef EP_FORTRAN_SECTION_H
#define EP_FORTRAN_SECTION_H

#include "fortran/descriptor.h"
#include "fortran/fortran.h"

/* For calls that move data of a datatype: another datatype, which finds the elements. */
struct mapped {
    void *base;
    int count;
    MPI_Datatype type;
    bool is_made;
};
int mapped_take(ep_comm comm, const char *call, struct mapped *mapped, const struct descriptor *buffer,
                int count, MPI_Datatype type);
void mapped_drop(struct mapped *mapped);

/* For all others that have data there: a copy, until the call is over, or its request complete (NULL: the call has failed). */
struct copied {
    void *buffer;
    struct ep_fortran_copy *copy;
};
int copied_take(ep_comm comm, const char *call, struct copied *copied, const struct descriptor *buffer,
                bool written);
void copied_drop(struct copied *copied);
void copied_drop_with(struct copied *copied, ep_request request);

/* One element of a predefined datatype. */
int element_take(ep_comm comm, const char *call, void **place, const struct descriptor *buffer,
                 MPI_Datatype type);
/* Memory that is lent: MPI_ERR_BUFFER. */
int memory_take(ep_comm comm, const char *call, void **base, const struct descriptor *buffer);

#endif
