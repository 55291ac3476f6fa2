/* SPDX-License-Identifier: BSD-3-Clause */
/* What ep needs to know of a datatype, learnt once and kept. */
#ifndef EP_P2P_TYPE_H
#define EP_P2P_TYPE_H

#include "p2p/family.h"

struct map;

/* Where the bytes of an element lie. Equal ones that are known: in the same places, in the same order, unless two hashes are equal by chance
 * (layout.c); within the same bounds for sure. */
struct places {
    bool known;
    uint64_t sum;
    ptrdiff_t low, length; /* true lower bound and extent */
};

/* What is asked of few types, so not before somebody does. */
struct makeup {
    struct family family;
    struct signature_sum signature;
    struct places places;
};

struct type {
    /* constant after it was learnt */
    size_t size;      /* bytes of data in one element */
    ptrdiff_t extent; /* from one element to the next */
    ptrdiff_t lb;     /* where the data of an element begin, if contiguous */
    bool contiguous;  /* any number of elements is one block of bytes in type map order */
    bool named;       /* predefined: lives for ever */
    /* of a derived one */
    _Atomic int refs;       /* the user's handle and every request that holds it */
    int holds;              /* requests; under learn_lock */
    MPI_Datatype duplicate; /* while holds > 0: the user may free his at any time; under learn_lock */
    /* whoever needs them first (rma/map.h): from malloc, NULL until then; maybe one and the same */
    const struct map *_Atomic maps[2];
    /* likewise (type_makeup) */
    const struct makeup *_Atomic makeup;
};

/* Bytes as they come: packed data. */
extern struct type *const type_packed;

/* Once, when process_start has succeeded. */
void types_start(void);
void types_stop(void);

/* So many bytes with an extent of 0, so any number of them go into one page, one after the other. MPI_DATATYPE_NULL if MPI could
 * not make it. Constant between start and stop. */
enum { TYPE_PAGE = 4096 };
extern MPI_Datatype type_page;

/* The description of datatype. NULL if it is not a committed datatype. Out of line part below. */
struct type *type_learn(MPI_Datatype datatype);

enum { TYPE_SLOTS = 256 };
struct type_slot {
    _Atomic uintptr_t key; /* release when the entry is complete, acquire in type_find */
    struct type type;
};
extern struct type_slot type_slots[TYPE_SLOTS];

static inline size_t type_hash(uintptr_t key)
{
    return (key * 0x9e3779b97f4a7c15u) >> 56;
}

/* Predefined types are found by their handle, which never changes its meaning. */
static inline struct type *type_find(MPI_Datatype datatype)
{
    uintptr_t key = (uintptr_t)datatype;
    struct type_slot *s = &type_slots[type_hash(key)];
    if (likely(load_acquire(&s->key) == key))
        return &s->type;
    return type_learn(datatype);
}

/* Between hold and drop the handle that hold returns may be used, whatever the user does with his:
 * `user`. */
MPI_Datatype type_hold_slow(struct type *t, MPI_Datatype user);
void type_drop_slow(struct type *t);

static inline MPI_Datatype type_hold(struct type *t, MPI_Datatype user)
{
    return likely(t->named) ? user : type_hold_slow(t, user);
}

static inline void type_drop(struct type *t)
{
    if (unlikely(!t->named))
        type_drop_slow(t);
}

/* Have elements of both, if they are at one address, bytes in common for sure? Types with gaps need not. */
static inline bool type_coincides(const struct type *a, const struct type *b)
{
    bool empty = a->size == 0 || b->size == 0;
    return !empty && (a == b || (a->contiguous && b->contiguous && a->lb == b->lb));
}

/* The makeup of t, whose handle is mpi. */
struct makeup type_makeup(struct type *t, MPI_Datatype mpi);

/* Have elements of both the same bytes in the same order, any number of them? False where that is not known. The handles are mpi_a and mpi_b. */
bool type_lies_like(struct type *a, MPI_Datatype mpi_a, struct type *b, MPI_Datatype mpi_b);

/* Both between mpi_enter and mpi_leave (layout.c). Is one element of datatype contiguous in memory and in type map order? Sets *lb. */
bool type_is_contiguous(MPI_Datatype datatype, ptrdiff_t *lb);
struct places type_places(MPI_Datatype datatype);

#endif
