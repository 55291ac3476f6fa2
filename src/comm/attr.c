/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/attr.h"

#include <assert.h>
#include <stdlib.h>

#include "comm/comm.h"

struct attribute {
    struct attribute *next; /* set before this one */
    struct keyval *key;     /* held */
    struct attr_value value;
    bool deleting; /* its callback runs: left alone by all others */
};

/* An object that has attributes. list is NULL where it has none yet. */
struct attr_owner {
    enum attr_kind kind;
    ep_comm comm;      /* of a window: its view */
    struct lock *lock; /* guards the list */
    struct attribute **list;
};

static struct attr_owner attr_owner_of(ep_comm view)
{
    lock_acquire(&view->lock);
    struct extras *x = view->extras;
    bool of_window = x && x->part && x->part_kind == HANDLE_WIN;
    lock_release(&view->lock);
    return (struct attr_owner){of_window ? ATTR_WIN : ATTR_COMM, view, &view->lock,
                               x ? &x->attributes : NULL};
}

/* ---- callbacks ---- */

/* Windows are never copied. */
static int attr_call_copy(struct attr_owner o, const struct keyval *key, struct attr_value *in,
                          struct attr_value *out, int *flag)
{
    const struct attr_callbacks *c = &key->callbacks;
    if (c->language != ATTR_C)
        return attr_fortran_call_copy(c->language, c->fortran.copy, view_number(o.comm), key->number,
                                      key->extra, in, out, flag);
    void *result = NULL;
    *flag = 0;
    int rc = c->comm.copy(handle_of(o.comm), key->number, key->extra, attr_value_in_c(in), &result, flag);
    *out = attr_value_copied(in, result);
    return rc;
}

static int call_delete(struct attr_owner o, struct attribute *a)
{
    const struct keyval *key = a->key;
    const struct attr_callbacks *c = &key->callbacks;
    if (c->language != ATTR_C)
        return attr_fortran_call_delete(c->language, c->fortran.delete, view_number(o.comm), key->number,
                                        key->extra, &a->value);
    void *value = attr_value_in_c(&a->value);
    if (o.kind == ATTR_WIN)
        return c->win.delete(view_part(o.comm, HANDLE_WIN), key->number, value, key->extra);
    return c->comm.delete(handle_of(o.comm), key->number, value, key->extra);
}

static int attr_failed(struct where w, const char *which, int keyval, int code)
{
    char text[MPI_MAX_ERROR_STRING];
    code_text(code, text);
    note_error(w, code, "the %s callback of attribute key %#x returned %d (%s)", which, (unsigned)keyval,
               code, text);
    return code;
}

/* ---- lists; the owner's lock is held ---- */

static struct attribute *attribute_new(struct keyval *key, struct attr_value value)
{
    struct attribute *a = malloc(sizeof *a);
    if (a)
        *a = (struct attribute){.key = keyval_again(key), .value = value};
    return a;
}

static void attribute_free(struct attribute *a)
{
    keyval_drop(a->key);
    free(a);
}

static void attr_push(struct attribute **list, struct attribute *a)
{
    a->next = *list;
    *list = a;
}

static struct attribute *attr_pop(struct attribute **list)
{
    struct attribute *a = *list;
    *list = a->next;
    return a;
}

static void unlink_from(struct attribute **list, const struct attribute *a)
{
    while (*list != a)
        list = &(*list)->next;
    *list = a->next;
}

/* The newest with that key, or with any; not one that is being deleted. */
static struct attribute *find_idle(struct attribute *a, const struct keyval *key)
{
    while (a && (a->deleting || (key && a->key != key)))
        a = a->next;
    return a;
}

/* Delete an idle one. The lock is given up while its callback runs. */
static int delete_one(struct attr_owner o, struct attribute *a, struct where w)
{
    lock_assert_held(o.lock);
    a->deleting = true;
    lock_release(o.lock);
    chaos_point();
    int rc = call_delete(o, a);
    if (rc != MPI_SUCCESS)
        attr_failed(w, "delete", a->key->number, rc);
    lock_acquire(o.lock);
    a->deleting = false;
    if (rc == MPI_SUCCESS) {
        unlink_from(o.list, a);
        attribute_free(a);
    }
    return rc;
}

/* ---- set, get, delete ---- */

int attr_no_key(struct where w, enum attr_kind kind, int keyval)
{
    bool win = kind == ATTR_WIN;
    const char *what = win ? "no key of windows, or a freed one" : "no key of communicators, or a freed one";
    if (keyval == MPI_KEYVAL_INVALID)
        what = "MPI_KEYVAL_INVALID";
    else if (keyval_is_predefined(keyval))
        what = "a predefined key";
    return raise_error(w, MPI_ERR_KEYVAL, "argument %s is %s (%d): it must be a key made by %s",
                       win ? "win_keyval" : "comm_keyval", what, keyval,
                       win ? "ep_win_create_keyval" : "ep_comm_create_keyval");
}

int attr_set(struct where w, int keyval, struct attr_value value)
{
    bool room = view_extras(w.view);
    struct attr_owner o = attr_owner_of(w.view);
    struct keyval *key = keyval_hold(o.kind, keyval);
    if (!key)
        return attr_no_key(w, o.kind, keyval);
    struct attribute *a = room ? attribute_new(key, value) : NULL, *old;
    if (!a) {
        keyval_drop(key);
        return raise_error(w, MPI_ERR_NO_MEM, "no memory for an attribute");
    }
    int rc = MPI_SUCCESS;
    lock_acquire(o.lock);
    while (rc == MPI_SUCCESS && (old = find_idle(*o.list, key)))
        rc = delete_one(o, old, w);
    if (rc == MPI_SUCCESS)
        attr_push(o.list, a);
    lock_release(o.lock);
    if (rc != MPI_SUCCESS)
        attribute_free(a);
    keyval_drop(key);
    return rc ? handle_error(w.view, rc) : MPI_SUCCESS;
}

static void attr_tell(struct attr_value *of, enum attr_language language, void *value)
{
    if (language == ATTR_C)
        *(void **)value = attr_value_in_c(of);
    else
        *(MPI_Aint *)value = attr_value_in_fortran(language, of);
}

int attr_get(struct where w, int keyval, enum attr_language language, void *value, int *flag)
{
    struct attr_owner o = attr_owner_of(w.view);
    struct attribute *a = NULL;
    if (o.kind == ATTR_COMM && comm_attr(w.view, keyval, value, flag)) {
        if (*flag && language != ATTR_C) /* all are integers */
            *(MPI_Aint *)value = **(int **)value;
        return MPI_SUCCESS;
    }
    *flag = 0;
    if (o.list) {
        lock_acquire(o.lock);
        for (a = *o.list; a && a->key->number != keyval; a = a->next)
            continue;
        if (a)
            attr_tell(&a->value, language, value);
        lock_release(o.lock);
    }
    *flag = a != NULL;
    if (a)
        return MPI_SUCCESS;
    struct keyval *key = keyval_hold(o.kind, keyval);
    if (!key)
        return attr_no_key(w, o.kind, keyval);
    keyval_drop(key);
    return MPI_SUCCESS;
}

int attr_delete(struct where w, int keyval)
{
    struct attr_owner o = attr_owner_of(w.view);
    struct keyval *key = keyval_hold(o.kind, keyval);
    if (!key)
        return attr_no_key(w, o.kind, keyval);
    int rc = MPI_SUCCESS;
    if (o.list) {
        lock_acquire(o.lock);
        struct attribute *a = find_idle(*o.list, key);
        if (a)
            rc = delete_one(o, a, w);
        lock_release(o.lock);
    }
    keyval_drop(key);
    return rc ? handle_error(w.view, rc) : MPI_SUCCESS;
}

/* ---- all of them ---- */

/* As they are now, the oldest first. False without memory. */
static bool attr_snapshot(struct attr_owner o, struct attribute **all)
{
    bool ok = true;
    *all = NULL;
    if (!o.list)
        return true;
    lock_acquire(o.lock);
    for (struct attribute *a = find_idle(*o.list, NULL); a && ok; a = find_idle(a->next, NULL)) {
        struct attribute *copy = attribute_new(a->key, a->value);
        ok = copy != NULL;
        if (ok)
            attr_push(all, copy);
    }
    lock_release(o.lock);
    return ok;
}

static void free_all(struct attribute *list)
{
    while (list)
        attribute_free(attr_pop(&list));
}

static void attr_discard_one(struct attr_owner o, struct attribute *copies)
{
    while (copies) {
        struct attribute *a = attr_pop(&copies);
        call_delete(o, a);
        attribute_free(a);
    }
}

/* Move the next one of `from` to `to` if its callback says so. */
static int copy_one(struct attr_owner o, struct attribute **from, struct attribute **to)
{
    struct attribute *a = attr_pop(from);
    struct attr_value out;
    int flag, rc = attr_call_copy(o, a->key, &a->value, &out, &flag);
    if (rc == MPI_SUCCESS && flag) {
        a->value = out;
        attr_push(to, a);
        return MPI_SUCCESS;
    }
    int keyval = a->key->number;
    attribute_free(a);
    if (rc == MPI_SUCCESS)
        return MPI_SUCCESS;
    attr_discard_one(o, *to);
    *to = NULL;
    return attr_failed((struct where){o.comm, NULL}, "copy", keyval, rc);
}

int attr_copy(ep_comm from, struct attribute **copies)
{
    struct attribute *all;
    *copies = NULL;
    if (!from)
        return MPI_SUCCESS;
    struct attr_owner o = attr_owner_of(from);
    int rc = attr_snapshot(o, &all) ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    if (rc != MPI_SUCCESS)
        note_error((struct where){from, NULL}, rc, "no memory for the copies of attributes");
    while (all && rc == MPI_SUCCESS)
        rc = copy_one(o, &all, copies);
    free_all(all);
    return rc;
}

int attr_give(ep_comm view, struct attribute *copies)
{
    if (!copies)
        return MPI_SUCCESS;
    struct extras *x = view_extras(view);
    if (!x)
        return MPI_ERR_NO_MEM;
    lock_acquire(&view->lock);
    x->attributes = copies;
    lock_release(&view->lock);
    return MPI_SUCCESS;
}

void attr_discard(ep_comm view_for_callbacks, struct attribute *copies)
{
    if (copies)
        attr_discard_one((struct attr_owner){.kind = ATTR_COMM, .comm = view_for_callbacks}, copies);
}

int attr_clear(ep_comm view)
{
    struct attr_owner o = view ? attr_owner_of(view) : (struct attr_owner){.list = NULL};
    struct attribute *a;
    int rc = MPI_SUCCESS;
    if (!o.list)
        return MPI_SUCCESS;
    lock_acquire(o.lock);
    while (rc == MPI_SUCCESS && (a = find_idle(*o.list, NULL)))
        rc = delete_one(o, a, (struct where){view, NULL});
    lock_release(o.lock);
    return rc;
}

/* ---- predefined attributes (MPI 8.1.2) ---- */

/* Those that are MPI's own matter. */
static bool is_mpi_key(int keyval)
{
    const int keys[] = {MPI_HOST,         MPI_IO,     MPI_WTIME_IS_GLOBAL,
                        MPI_LASTUSEDCODE, MPI_APPNUM, MPI_UNIVERSE_SIZE};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i] == keyval)
            return true;
    return false;
}

bool comm_attr(ep_comm view, int keyval, void *value, int *flag)
{
    if (keyval == MPI_TAG_UB) {
        *(int **)value = &view->comm->tags.ub;
        *flag = 1;
        return true;
    }
    ep_comm world = load_relaxed(&process.runs_ranks) ? thread_world() : NULL;
    if (keyval == MPI_UNIVERSE_SIZE && world) { /* MPI counts processes */
        *(const int **)value = &world->size;
        *flag = 1;
        return true;
    }
    if (!is_mpi_key(keyval))
        return false;
    mpi_enter();
    MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, value, flag);
    mpi_leave();
    if (keyval == MPI_LASTUSEDCODE)
        *(int **)value = code_last_used(*flag ? **(int **)value : MPI_ERR_LASTCODE);
    return true;
}

/* ---- keys ---- */

/* Predefined and invalid keys are below FIRST_NUMBER in Open MPI, and below it or above LAST_NUMBER in
 * MPICH. */
enum { FIRST_NUMBER = 0x40000000, LAST_NUMBER = 0x5fffffff };

static struct lock keys_lock = LOCK_FREE(KEYVALS); /* guards both */
static struct table all_keys;                      /* that somebody refers to, by number */
static int next_number = FIRST_NUMBER;

static struct keyval *keyval_find(enum attr_kind kind, int number)
{
    lock_assert_held(&keys_lock);
    struct table_link *l = table_find(&all_keys, (uint64_t)number);
    struct keyval *key = l ? container_of(l, struct keyval, link) : NULL;
    return key && key->kind == kind ? key : NULL;
}

int keyval_new(enum attr_kind kind, struct attr_callbacks callbacks, void *extra)
{
    struct keyval *key = malloc(sizeof *key);
    if (!key)
        return MPI_KEYVAL_INVALID;
    *key = (struct keyval){.kind = kind, .callbacks = callbacks, .extra = extra, .refs = 1};
    lock_acquire(&keys_lock);
    int number = next_number <= LAST_NUMBER ? next_number++ : MPI_KEYVAL_INVALID;
    key->number = number;
    if (number != MPI_KEYVAL_INVALID)
        table_add(&all_keys, &key->link, (uint64_t)number);
    lock_release(&keys_lock);
    if (number == MPI_KEYVAL_INVALID)
        free(key);
    return number;
}

struct keyval *keyval_hold(enum attr_kind kind, int number)
{
    lock_acquire(&keys_lock);
    struct keyval *key = keyval_find(kind, number);
    if (key)
        keyval_again(key);
    lock_release(&keys_lock);
    return key;
}

struct keyval *keyval_again(struct keyval *key)
{
    assert(load_relaxed(&key->refs) > 0);
    add_relaxed(&key->refs, 1);
    return key;
}

/* Nobody finds a key whose last reference is gone. */
static void keyval_drop_one(struct keyval *key)
{
    lock_assert_held(&keys_lock);
    assert(load_relaxed(&key->refs) > 0);
    if (sub_acq_rel(&key->refs, 1) != 1)
        return;
    table_remove(&all_keys, &key->link);
    free(key);
}

void keyval_drop(struct keyval *key)
{
    lock_acquire(&keys_lock);
    keyval_drop_one(key);
    lock_release(&keys_lock);
}

bool keyval_free(enum attr_kind kind, int number)
{
    lock_acquire(&keys_lock);
    struct keyval *key = keyval_find(kind, number);
    bool found = key != NULL;
    if (found && !key->freed) {
        key->freed = true;
        keyval_drop_one(key);
    }
    lock_release(&keys_lock);
    return found;
}

bool keyval_is_predefined(int number)
{
    const int keys[] = {MPI_TAG_UB,
                        MPI_HOST,
                        MPI_IO,
                        MPI_APPNUM,
                        MPI_UNIVERSE_SIZE,
                        MPI_WTIME_IS_GLOBAL,
                        MPI_LASTUSEDCODE,
                        MPI_WIN_BASE,
                        MPI_WIN_SIZE,
                        MPI_WIN_DISP_UNIT,
                        MPI_WIN_CREATE_FLAVOR,
                        MPI_WIN_MODEL};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i] == number)
            return true;
    return false;
}
