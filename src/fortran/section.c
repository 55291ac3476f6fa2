/* SPDX-License-Identifier: BSD-3-Clause */
#include "fortran/section.h"

static void array_describe(struct ep_fortran_array *a, const struct descriptor *d)
{
    a->base = d->base;
    a->element = descriptor_element(d);
    a->rank = d->rank;
    for (int i = 0; i < a->rank; i++) {
        a->dimensions[i].extent = d->dimensions[i].extent;
        a->dimensions[i].stride = d->dimensions[i].stride;
    }
}

int mapped_take(ep_comm comm, const char *call, struct mapped *mapped, const struct descriptor *buffer,
                int count, MPI_Datatype type)
{
    *mapped = (struct mapped){choice_f2c(buffer->base), count, type, false};
    if (descriptor_is_contiguous(buffer))
        return MPI_SUCCESS;
    struct ep_fortran_array array;
    MPI_Datatype made;
    array_describe(&array, buffer);
    int rc = ep_fortran_section(comm, call, &array, count, type, &made);
    if (rc == MPI_SUCCESS && made != MPI_DATATYPE_NULL)
        *mapped = (struct mapped){array.base, 1, made, true};
    return rc;
}

void mapped_drop(struct mapped *mapped)
{
    if (mapped->is_made)
        ep_PMPI_Type_free(&mapped->type);
}

int copied_take(ep_comm comm, const char *call, struct copied *copied, const struct descriptor *buffer,
                bool written)
{
    *copied = (struct copied){choice_f2c(buffer->base), NULL};
    if (descriptor_is_contiguous(buffer))
        return MPI_SUCCESS;
    struct ep_fortran_array array;
    array_describe(&array, buffer);
    copied->copy = ep_fortran_copy_begin(&array, written, &copied->buffer);
    return copied->copy
               ? MPI_SUCCESS
               : ep_fortran_error(comm, call, MPI_ERR_NO_MEM,
                                  "no memory for a copy of an array whose elements do not follow each other");
}

void copied_drop(struct copied *copied)
{
    if (copied->copy)
        ep_fortran_copy_end(copied->copy);
}

void copied_drop_with(struct copied *copied, ep_request request)
{
    if (copied->copy)
        ep_fortran_copy_end_with(copied->copy, request);
}

int element_take(ep_comm comm, const char *call, void **place, const struct descriptor *buffer,
                 MPI_Datatype type)
{
    *place = choice_f2c(buffer->base);
    if (descriptor_is_contiguous(buffer) || ep_fortran_size(type) <= descriptor_element(buffer))
        return MPI_SUCCESS;
    return ep_fortran_error(
        comm, call, MPI_ERR_BUFFER,
        "the array's elements do not follow each other, and are smaller than the datatype");
}

int memory_take(ep_comm comm, const char *call, void **base, const struct descriptor *buffer)
{
    *base = choice_f2c(buffer->base);
    if (descriptor_is_contiguous(buffer))
        return MPI_SUCCESS;
    return ep_fortran_error(comm, call, MPI_ERR_BUFFER,
                            "the array's elements do not follow each other: it cannot be lent");
}
