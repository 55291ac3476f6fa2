/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Datatypes for data in Fortran's arrays whose elements do not follow each other. Where whole elements of the datatype are in each of the
 * array (numbers in an array of numbers) it is a nest of vectors, one for each dimension. Else it is listed, piece by piece.
 */
#include <limits.h>
#include <stdlib.h>

#include "api/api.h"
#include "dropin/dropin.h"

/* ---- a nest ---- */

enum { MOST_PARTS = EP_FORTRAN_RANK + 1 };

/* What the type is made of so far; all of it is freed at last. */
struct nested {
    const struct ep_fortran_array *array;
    MPI_Datatype full[EP_FORTRAN_RANK + 1]; /* [i]: all elements of the first i dimensions */
    MPI_Datatype part[MOST_PARTS];
    MPI_Aint place[MOST_PARTS];
    int parts;
    bool failed;
};

static void nest_check(struct nested *n, int code)
{
    n->failed |= code != MPI_SUCCESS;
}

static MPI_Datatype nest_several(struct nested *n, ptrdiff_t times, ptrdiff_t stride, MPI_Datatype of)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    if (!n->failed)
        nest_check(n, MPI_Type_create_hvector((int)times, 1, stride, of, &type));
    return type;
}

static void nest_add(struct nested *n, MPI_Datatype type, ptrdiff_t place)
{
    n->part[n->parts] = type;
    n->place[n->parts++] = place;
}

/* So many elements, and `rest` elements of the datatype in the next one. */
static void nest_fill(struct nested *n, size_t elements, MPI_Datatype datatype, int rest)
{
    const struct ep_fortran_array *a = n->array;
    ptrdiff_t place = 0;
    size_t volume[EP_FORTRAN_RANK];
    for (int i = 0; i < a->rank; i++)
        volume[i] = i == 0 ? 1 : volume[i - 1] * (size_t)a->dimensions[i - 1].extent;
    for (int i = 0; i + 1 < a->rank && volume[i + 1] <= elements; i++)
        n->full[i + 1] = nest_several(n, a->dimensions[i].extent, a->dimensions[i].stride, n->full[i]);
    for (int i = a->rank - 1; i >= 0; i--) {
        size_t times = elements / volume[i];
        elements %= volume[i];
        if (times > 0)
            nest_add(n, nest_several(n, (ptrdiff_t)times, a->dimensions[i].stride, n->full[i]), place);
        place += (ptrdiff_t)times * a->dimensions[i].stride;
    }
    if (rest > 0) {
        MPI_Datatype last = MPI_DATATYPE_NULL;
        nest_check(n, MPI_Type_contiguous(rest, datatype, &last));
        nest_add(n, last, place);
    }
}

static void free_made(MPI_Datatype *type)
{
    if (*type != MPI_DATATYPE_NULL)
        MPI_Type_free(type);
}

/* each: elements of the datatype in one of the array. */
static bool nest_make(const struct ep_fortran_array *array, int count, MPI_Datatype datatype, int each,
                      MPI_Datatype *made)
{
    static const int ones[MOST_PARTS] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    struct nested n = {.array = array};
    for (int i = 0; i <= EP_FORTRAN_RANK; i++)
        n.full[i] = MPI_DATATYPE_NULL;
    mpi_enter();
    nest_check(&n, MPI_Type_contiguous(each, datatype, &n.full[0]));
    if (!n.failed)
        nest_fill(&n, (size_t)(count / each), datatype, count % each);
    if (!n.failed)
        nest_check(&n, MPI_Type_create_struct(n.parts, ones, n.place, n.part, made));
    for (int i = 0; i <= EP_FORTRAN_RANK; i++)
        free_made(&n.full[i]);
    for (int i = 0; i < n.parts; i++)
        free_made(&n.part[i]);
    mpi_leave();
    return !n.failed;
}

/* ---- a list ---- */

struct listed {
    const struct ep_fortran_array *array;
    size_t elements; /* of the array */
    size_t unit;     /* bytes of what is counted in pieces */
    bool whole;      /* each piece is some of them */
    bool beyond;     /* the array has no such place */
    bool failed;
    MPI_Aint *place;
    int *bytes;
    int n, room;
};

static bool pieces_grow(struct listed *p)
{
    int room = p->room ? 2 * p->room : 64;
    MPI_Aint *place = p->room <= INT_MAX / 2 ? realloc(p->place, (size_t)room * sizeof *place) : NULL;
    p->place = place ? place : p->place;
    int *bytes = place ? realloc(p->bytes, (size_t)room * sizeof *bytes) : NULL;
    p->bytes = bytes ? bytes : p->bytes;
    p->room = bytes ? room : p->room;
    return bytes != NULL;
}

static void pieces_add(struct listed *p, ptrdiff_t place, size_t bytes)
{
    int last = p->n - 1;
    p->whole = p->whole && bytes % p->unit == 0;
    if (last >= 0 && p->place[last] + p->bytes[last] == place && p->bytes[last] <= INT_MAX - (int)bytes) {
        p->bytes[last] += (int)bytes;
    } else if (p->n == p->room && !pieces_grow(p)) {
        p->failed = true;
    } else {
        p->place[p->n] = place;
        p->bytes[p->n++] = (int)bytes;
    }
}

/* Where the array's element of that number is. */
static ptrdiff_t array_place(const struct ep_fortran_array *array, size_t number)
{
    ptrdiff_t place = 0;
    for (int i = 0; i < array->rank; i++) {
        size_t extent = (size_t)array->dimensions[i].extent;
        place += (ptrdiff_t)(number % extent) * array->dimensions[i].stride;
        number /= extent;
    }
    return place;
}

/* Bytes from `from` on, were the elements one after the other. */
static void pieces_cut(struct listed *p, ptrdiff_t from, size_t bytes)
{
    size_t element = p->array->element;
    p->beyond = p->beyond || from < 0 || (size_t)from + bytes > p->elements * element;
    while (bytes > 0 && !p->beyond && !p->failed) {
        size_t in = (size_t)from % element, here = element - in;
        if (here > bytes)
            here = bytes;
        if (here > INT_MAX / 2)
            here = INT_MAX / 2 / p->unit * p->unit;
        pieces_add(p, array_place(p->array, (size_t)from / element) + (ptrdiff_t)in, here);
        from += (ptrdiff_t)here;
        bytes -= here;
    }
}

static void pieces_list(struct listed *p, int count, const struct type *type, const struct type_map *map)
{
    struct type_iter walk;
    char *at;
    size_t bytes;
    type_iter_init(&walk, NULL, (size_t)count, type, map);
    while ((bytes = type_iter_peek(&walk, &at)) > 0 && !p->beyond && !p->failed) {
        pieces_cut(p, (ptrdiff_t)(intptr_t)at, bytes);
        type_iter_skip(&walk, bytes);
    }
}

static bool pieces_make(struct listed *p, MPI_Datatype basic, MPI_Datatype *made)
{
    for (int i = 0; i < p->n; i++)
        p->bytes[i] /= (int)p->unit;
    mpi_enter();
    int code = MPI_Type_create_hindexed(p->n, p->bytes, p->place, basic, made);
    mpi_leave();
    return code == MPI_SUCCESS;
}

/* ---- either ---- */

/* Each element of the datatype is in one element of the array, and fills it together with others: how many. 0: that is not so. */
static int type_in_element(const struct type *type, size_t element)
{
    ptrdiff_t all = (ptrdiff_t)element;
    bool fits = type->extent > 0 && type->lb >= 0 && type->ub <= type->extent && all % type->extent == 0;
    return fits && all / type->extent <= INT_MAX ? (int)(all / type->extent) : 0;
}

/* As elements of the one predefined type that it is made of. False: without memory, or p->whole is false. */
static bool section_items(struct listed *p, int count, MPI_Datatype datatype, struct type *type,
                          MPI_Datatype *made)
{
    const struct type_map *map = type_map_of(type, datatype, TYPE_ITEMS);
    struct type *basic = map && map->basic != MPI_DATATYPE_NULL ? type_find(map->basic) : NULL;
    p->whole = basic && basic->extent > 0;
    if (!p->whole)
        return false;
    p->unit = (size_t)basic->extent;
    pieces_list(p, count, type, map);
    return p->beyond || (!p->failed && p->whole && pieces_make(p, map->basic, made));
}

static bool section_bytes(struct listed *p, int count, MPI_Datatype datatype, struct type *type,
                          MPI_Datatype *made)
{
    const struct type_map *map = type_map_of(type, datatype, TYPE_DATA);
    p->n = 0;
    p->unit = 1;
    if (map)
        pieces_list(p, count, type, map);
    return p->beyond || (map && !p->failed && pieces_make(p, MPI_BYTE, made));
}

int ep_fortran_section(ep_comm comm, const char *call, const struct ep_fortran_array *array, int count,
                       MPI_Datatype datatype, MPI_Datatype *made)
{
    struct type *type = count > 0 && foreign_type_is_sound(datatype) ? type_find(datatype) : NULL;
    struct listed p = {.array = array, .elements = 1};
    *made = MPI_DATATYPE_NULL;
    if (!type || type->size == 0)
        return MPI_SUCCESS;
    for (int i = 0; i < array->rank; i++)
        p.elements *= array->dimensions[i].extent > 0 ? (size_t)array->dimensions[i].extent : 0;
    int each = type_in_element(type, array->element);
    bool done = true;
    if (each == 0)
        done = section_items(&p, count, datatype, type, made) ||
               (!p.failed && section_bytes(&p, count, datatype, type, made));
    else if (p.elements < ((size_t)count + (size_t)each - 1) / (size_t)each)
        p.beyond = true;
    else
        done = nest_make(array, count, datatype, each, made);
    if (done && *made != MPI_DATATYPE_NULL) {
        mpi_enter();
        done = MPI_Type_commit(made) == MPI_SUCCESS;
        mpi_leave();
    }
    free(p.place);
    free(p.bytes);
    if (p.beyond)
        return ep_fortran_error(comm, call, MPI_ERR_BUFFER,
                                "the array has fewer elements than count and datatype say");
    return done ? MPI_SUCCESS
                : ep_fortran_error(comm, call, MPI_ERR_NO_MEM, "no memory to describe the array's elements");
}
