/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies of Fortran's arrays whose elements do not follow each other, for calls that need them so: operators, and collective calls,
 * whose buffers have a block for each rank. What is not written by the call must not be written by the copy either, as the
 * program may use it meanwhile; so there is a second copy, and bytes that are as before stay alone.
 */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "dropin/dropin.h"

struct ep_fortran_copy {
    struct request_then then;
    struct ep_fortran_array array;
    size_t bytes;
    char *before;    /* NULL: nothing is written */
    char elements[]; /* and what was there before */
};

/* Calls with each row of elements that are the same distance apart, in order. */
struct rows {
    const struct ep_fortran_array *array;
    ptrdiff_t at[EP_FORTRAN_RANK];
    char *row;
};

static void rows_begin(struct rows *r, const struct ep_fortran_array *array)
{
    *r = (struct rows){.array = array, .row = array->base};
}

/* False: that was the last one. */
static bool rows_next(struct rows *r)
{
    const struct ep_fortran_array *a = r->array;
    for (int i = 1; i < a->rank; i++) {
        r->row += a->dimensions[i].stride;
        if (++r->at[i] < a->dimensions[i].extent)
            return true;
        r->row -= r->at[i] * a->dimensions[i].stride;
        r->at[i] = 0;
    }
    return false;
}

static size_t array_elements(const struct ep_fortran_array *array)
{
    size_t n = 1;
    for (int i = 0; i < array->rank; i++)
        n *= array->dimensions[i].extent > 0 ? (size_t)array->dimensions[i].extent : 0;
    return n;
}

static void array_read(const struct ep_fortran_array *array, char *to)
{
    struct rows r;
    rows_begin(&r, array);
    do {
        for (ptrdiff_t i = 0; i < array->dimensions[0].extent; i++, to += array->element)
            memcpy(to, r.row + i * array->dimensions[0].stride, array->element);
    } while (rows_next(&r));
}

static void element_write(char *element, const char *from, const char *before, size_t n)
{
    if (memcmp(from, before, n) == 0)
        return;
    for (size_t i = 0; i < n; i++)
        if (from[i] != before[i])
            element[i] = from[i];
}

static void array_write(const struct ep_fortran_array *array, const char *from, const char *before)
{
    struct rows r;
    rows_begin(&r, array);
    do {
        for (ptrdiff_t i = 0; i < array->dimensions[0].extent; i++) {
            element_write(r.row + i * array->dimensions[0].stride, from, before, array->element);
            from += array->element;
            before += array->element;
        }
    } while (rows_next(&r));
}

struct ep_fortran_copy *ep_fortran_copy_begin(const struct ep_fortran_array *array, bool written,
                                              void **elements)
{
    size_t bytes = array_elements(array) * array->element;
    struct ep_fortran_copy *c = malloc(sizeof *c + (written ? 2 : 1) * bytes);
    if (!c)
        return NULL;
    c->array = *array;
    c->bytes = bytes;
    c->before = written ? c->elements + bytes : NULL;
    *elements = c->elements;
    if (bytes > 0)
        array_read(array, c->elements);
    if (written)
        memcpy(c->before, c->elements, bytes);
    return c;
}

void ep_fortran_copy_end(struct ep_fortran_copy *copy)
{
    if (copy->before && copy->bytes > 0)
        array_write(&copy->array, copy->elements, copy->before);
    free(copy);
}

static void copy_then(struct request_then *then)
{
    ep_fortran_copy_end(container_of(then, struct ep_fortran_copy, then));
}

void ep_fortran_copy_end_with(struct ep_fortran_copy *copy, ep_request request)
{
    copy->then.run = copy_then;
    p2p_then(request, &copy->then);
}
