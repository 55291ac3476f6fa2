/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Predefined types are kept in a table that is only ever added to. A derived type's description hangs on
 * the type as an attribute, whose delete function MPI calls when the type goes; requests keep the description alive for
 * longer. While any of them needs a handle for MPI, there is one duplicate of the type. It is not kept for longer: in MPICH a
 * duplicate keeps the type it was made from alive.
 *
 * The delete function runs inside MPI_Type_free, the user's or ours: it calls no MPI function and takes no
 * lock.
 */
#include "datatype/type.h"

#include <stdlib.h>
#include <string.h>

#include "datatype/arith.h"
#include "datatype/contents.h"
#include "datatype/map.h"

/* A handle of null bits, which is none, would be found in an empty slot at 0. */
struct type_slot type_slots[TYPE_SLOTS] = {[0].key = NO_TYPE};
static struct type packed_type = {.size = 1, .extent = 1, .ub = 1, .contiguous = true, .named = true};
struct type *const type_packed = &packed_type;

static struct lock learn_lock = LOCK_FREE(TYPES);
static struct pool derived; /* get under learn_lock, put by any thread */
static int keyval = MPI_KEYVAL_INVALID;

static void type_forget(struct type *t)
{
    if (sub_acq_rel(&t->refs, 1) != 1)
        return;
    const struct type_map *maps[] = {load_acquire(&t->maps[0]), load_acquire(&t->maps[1])};
    reserve_free((void *)maps[0]);
    if (maps[1] != maps[0])
        reserve_free((void *)maps[1]);
    free((void *)load_acquire(&t->makeup));
    pool_put_remote(&derived, t);
}

static int deleted_by_mpi(MPI_Datatype datatype, int key, void *value, void *extra)
{
    (void)datatype, (void)key, (void)extra;
    type_forget(value);
    return MPI_SUCCESS;
}

static _Thread_local bool being_held;

bool type_is_being_held(void)
{
    return being_held;
}

MPI_Datatype type_hold_slow(struct type *t, MPI_Datatype user, bool for_mpi)
{
    MPI_Datatype held;
    add_relaxed(&t->refs, 1);
    if (!for_mpi)
        return MPI_DATATYPE_NULL;
    mpi_enter();
    lock_acquire(&learn_lock);
    being_held = true;
    if (t->holds == 0 && MPI_Type_dup(user, &t->duplicate) != MPI_SUCCESS)
        t->duplicate = MPI_DATATYPE_NULL; /* no memory: MPI will say so */
    being_held = false;
    held = t->duplicate;
    t->holds += held != MPI_DATATYPE_NULL;
    lock_release(&learn_lock);
    mpi_leave();
    return held;
}

static void drop_duplicate(struct type *t)
{
    mpi_enter();
    lock_acquire(&learn_lock);
    if (--t->holds == 0)
        MPI_Type_free(&t->duplicate); /* makes it MPI_DATATYPE_NULL */
    lock_release(&learn_lock);
    mpi_leave();
}

void type_drop_slow(struct type *t, MPI_Datatype held)
{
    if (held != MPI_DATATYPE_NULL)
        drop_duplicate(t);
    type_forget(t);
}

/* What the map says. Without memory for it MPI tells where the data are; pairs are whole structs. */
static void describe_data(struct type *t, MPI_Datatype datatype, const struct type_map *m)
{
    MPI_Aint low, length;
    if (t->named) {
        t->ub = t->extent;
        t->contiguous = t->extent == (ptrdiff_t)t->size;
    } else if (m) {
        t->lb = m->low;
        t->ub = m->high;
        t->contiguous = type_map_is_stretch(m) && t->extent == (ptrdiff_t)t->size && !type_map_has_gaps(m);
    } else {
        MPI_Type_get_true_extent(datatype, &low, &length);
        t->lb = low;
        t->ub = low + length;
    }
}

static void type_describe(struct type *t, MPI_Datatype datatype, bool named)
{
    MPI_Count size;
    MPI_Aint lb, extent;
    MPI_Type_size_x(datatype, &size);
    MPI_Type_get_extent(datatype, &lb, &extent);
    t->size = (size_t)size;
    t->extent = extent;
    t->named = named;
    bool plain = named && extent == (MPI_Aint)size; /* nobody asks for its map */
    struct type_map *m = plain ? NULL : type_map_build(datatype, TYPE_DATA);
    store_relaxed(&t->maps[TYPE_DATA], m); /* nobody knows t yet */
    describe_data(t, datatype, m);
}

/* MPI has no call that asks whether a type is committed; a send to nobody checks it. */
static bool is_committed(MPI_Datatype datatype)
{
    MPI_Request r;
    char nothing = 0; /* not looked at */
    if (MPI_Isend(&nothing, 1, datatype, MPI_PROC_NULL, 0, process.self, &r) != MPI_SUCCESS)
        return false;
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    return true;
}

/* MPI has about 80 named predefined types, and as many of Fortran 90 as a program asks for with other parameters. */
enum { F90_MOST = TYPE_SLOTS / 4 };
static int f90_known; /* under learn_lock */

/* NULL: its description is kept as that of a derived one. */
static struct type *learn_named(MPI_Datatype datatype, bool f90)
{
    lock_assert_held(&learn_lock);
    for (size_t i = type_hash((uintptr_t)datatype), n = 0; n < TYPE_SLOTS; i = (i + 1) % TYPE_SLOTS, n++) {
        struct type_slot *s = &type_slots[i];
        uintptr_t key = load_relaxed(&s->key);
        if (key == (uintptr_t)datatype)
            return &s->type;
        if (key && key != NO_TYPE)
            continue;
        if (f90 && f90_known == F90_MOST)
            return NULL;
        f90_known += f90;
        type_describe(&s->type, datatype, true);
        s->plain = s->type.contiguous && s->type.lb == 0 && s->type.size > 0 ? s->type.size : TYPE_NOT_PLAIN;
        store_release(&s->key, (uintptr_t)datatype);
        return &s->type;
    }
    return NULL;
}

static struct type *learn_derived(MPI_Datatype datatype)
{
    lock_assert_held(&learn_lock);
    struct type *t;
    int known;
    MPI_Type_get_attr(datatype, keyval, (void *)&t, &known);
    if (known)
        return t;
    if (!derived.item_size)
        pool_init(&derived, sizeof *t);
    /* it may not fail: in a collective call the others wait, and all choose alike from what is known of the type */
    if (!is_committed(datatype) || !(t = pool_get_reserve(&derived)))
        return NULL;
    memset(t, 0, sizeof *t);
    type_describe(t, datatype, false);
    store_relaxed(&t->refs, 1);
    MPI_Type_set_attr(datatype, keyval, t);
    return t;
}

struct type *type_learn(MPI_Datatype datatype)
{
    struct type_envelope e;
    struct type *t = NULL;
    if (!process_mpi_runs() || !foreign_type_is_sound(datatype))
        return NULL;
    mpi_enter();
    lock_acquire(&learn_lock);
    if (type_envelope_get(&e, datatype)) {
        t = combiner_is_predefined(e.combiner) ? learn_named(datatype, e.combiner != MPI_COMBINER_NAMED)
                                               : NULL;
        if (!t && e.combiner != MPI_COMBINER_NAMED)
            t = learn_derived(datatype);
    }
    lock_release(&learn_lock);
    mpi_leave();
    return t;
}

/* ---- what is asked of few ---- */

struct makeup type_makeup(struct type *t, MPI_Datatype mpi)
{
    const struct makeup *known = load_acquire(&t->makeup), *none = NULL;
    if (known)
        return *known;
    const struct type_map *map = type_map_of(t, mpi, TYPE_DATA);
    struct makeup *m = malloc(sizeof *m), now; /* without memory less may be found out, so it is not kept */
    mpi_enter();
    now = (struct makeup){family_of(mpi), signature_of(mpi), type_map_places(map)};
    mpi_leave();
    if (m) {
        *m = now;
        if (!cas_acq_rel(&t->makeup, &none, m)) /* pairs with the load above */
            free(m);
    }
    return now;
}

bool type_lies_like(struct type *a, MPI_Datatype mpi_a, struct type *b, MPI_Datatype mpi_b)
{
    if (likely(a == b))
        return true;
    if (a->size != b->size || a->extent != b->extent)
        return false;
    if (a->contiguous && b->contiguous)
        return a->lb == b->lb;
    const struct places x = type_makeup(a, mpi_a).places, y = type_makeup(b, mpi_b).places;
    return x.known && y.known && x.sum == y.sum && x.low == y.low && x.high == y.high;
}

/* ---- start and stop ---- */

MPI_Datatype type_page = MPI_DATATYPE_NULL;

static void make_page(void)
{
    MPI_Datatype bytes;
    if (MPI_Type_contiguous(TYPE_PAGE, MPI_BYTE, &bytes) != MPI_SUCCESS)
        return;
    if (MPI_Type_create_resized(bytes, 0, 0, &type_page) != MPI_SUCCESS)
        type_page = MPI_DATATYPE_NULL;
    else if (MPI_Type_commit(&type_page) != MPI_SUCCESS)
        MPI_Type_free(&type_page);
    MPI_Type_free(&bytes);
}

void types_start(void)
{
    mpi_enter();
    lock_acquire(&learn_lock);
    if (keyval == MPI_KEYVAL_INVALID)
        MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, deleted_by_mpi, &keyval, NULL);
    arith_start();
    if (type_page == MPI_DATATYPE_NULL)
        make_page();
    lock_release(&learn_lock);
    mpi_leave();
}

void types_stop(void)
{
    int off = 0;
    MPI_Finalized(&off);
    mpi_enter();
    lock_acquire(&learn_lock);
    if (keyval != MPI_KEYVAL_INVALID && !off)
        MPI_Type_free_keyval(&keyval);
    if (type_page != MPI_DATATYPE_NULL && !off)
        MPI_Type_free(&type_page);
    keyval = MPI_KEYVAL_INVALID;
    type_page = MPI_DATATYPE_NULL;
    lock_release(&learn_lock);
    mpi_leave();
}
