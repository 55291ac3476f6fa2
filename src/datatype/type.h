/* SPDX-License-Identifier: BSD-3-Clause */
/* What ep needs to know of a datatype, learnt once and kept. */
#ifndef EP_DATATYPE_TYPE_H
#define EP_DATATYPE_TYPE_H

#include "datatype/family.h"

struct type_map;

/* Where the bytes of an element lie. Equal ones that are known: in the same places, in the same order, unless two hashes are equal by chance
 * (places.c); within the same bounds for sure. */
struct places {
    bool known;
    uint64_t sum;
    ptrdiff_t low, high; /* as of its map */
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
    ptrdiff_t lb, ub; /* all data of an element are in [lb, ub); 0, 0 if there are none */
    bool contiguous;  /* any number of elements is one block of bytes in type map order */
    bool named;       /* predefined: lives for ever */
    /* of a derived one */
    _Atomic int refs;       /* the user's handle and every request that holds it; acq_rel type_forget */
    int holds;              /* of the duplicate; under learn_lock */
    MPI_Datatype duplicate; /* while holds > 0: the user may free it at any time; under learn_lock */
    /* the one of data from the beginning, else whoever needs it first (map.h): NULL until then; maybe one and the same */
    const struct type_map *_Atomic maps[2]; /* release map_make, acquire type_map_of */
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
/* So many bytes that any number but 0 of such elements are more than anything short, and the product is no more than 64 bits. */
#define TYPE_NOT_PLAIN ((size_t)1 << 32)
struct type_slot {
    _Alignas(2 * CACHE_LINE) _Atomic uintptr_t key; /* the entry is complete: release learn_named, acquire type_find, type_find_named */
    size_t plain;          /* constant: size, if elements are contiguous from their address on; else TYPE_NOT_PLAIN */
    struct type type;
};
enum { NO_TYPE = 1 }; /* key: the slot is empty, as with 0 */
extern struct type_slot type_slots[TYPE_SLOTS] __attribute__((visibility("hidden")));

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

/* The slot of a predefined type; NULL: not known at once to be one. */
static inline const struct type_slot *type_find_named(MPI_Datatype datatype)
{
    uintptr_t key = (uintptr_t)datatype;
    const struct type_slot *s = &type_slots[type_hash(key)];
    return likely(load_acquire(&s->key) == key) ? s : NULL;
}

/* The description of a predefined type that is one block of bytes from its address on. NULL: it may be none, or was not learnt yet. */
static inline const struct type *type_find_block(MPI_Datatype datatype)
{
    const struct type_slot *s = type_find_named(datatype);
    return likely(s != NULL) && s->type.contiguous && s->type.lb == 0 ? &s->type : NULL;
}

/* Between hold and drop t may be used, whatever the user does with the handle: `user`. With for_mpi also the handle that hold
 * returns, for data that MPI is to send or receive; else there is none: MPI_DATATYPE_NULL. drop is told what hold returned. */
MPI_Datatype type_hold_slow(struct type *t, MPI_Datatype user, bool for_mpi);
/* Does the calling thread duplicate a type for that? It is none of the program's, whose attributes it does not get. */
bool type_is_being_held(void);
void type_drop_slow(struct type *t, MPI_Datatype held);

static inline MPI_Datatype type_hold(struct type *t, MPI_Datatype user, bool for_mpi)
{
    return likely(t->named) ? user : type_hold_slow(t, user, for_mpi);
}

static inline void type_drop(struct type *t, MPI_Datatype held)
{
    if (unlikely(!t->named))
        type_drop_slow(t, held);
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

#endif
