/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Attributes (MPI 6.7): per view a list, the newest first, made by what the user sets; and the predefined
 * ones of communicators. A window's are those of its view.
 *
 * The user's callbacks run with no lock held, and may use attributes themselves, of this view too. An
 * attribute whose delete callback runs is still found by get, as in other MPI libraries, but is nobody
 * else's to delete; so each value that was set is deleted once, whatever the threads of an endpoint do.
 */
#ifndef EP_COMM_ATTR_H
#define EP_COMM_ATTR_H

#include <ep.h>

#include "base/base.h"
#include "comm/attr_value.h"
#include "comm/error.h"

/* ---- keys ---- */

/* Attribute keys: numbers for the whole process. A number is never used again. */

/* What the attributes belong to. */
enum attr_kind { ATTR_COMM, ATTR_WIN, ATTR_TYPE };

/* The user's functions; in C the member of the key's kind. */
struct attr_callbacks {
    enum attr_language language;
    union {
        struct {
            ep_comm_copy_attr_function *copy;
            ep_comm_delete_attr_function *delete;
        } comm;
        struct {
            ep_win_copy_attr_function *copy;
            ep_win_delete_attr_function *delete;
        } win;
        struct {
            MPI_Type_copy_attr_function *copy;
            MPI_Type_delete_attr_function *delete;
        } type;
        struct {
            attr_fortran_copy *copy;
            attr_fortran_delete *delete;
        } fortran;
    };
};

struct keyval {
    /* constant */
    int number;
    enum attr_kind kind;
    struct attr_callbacks callbacks;
    void *extra;
    /* under keys_lock */
    struct table_link link;
    bool freed; /* by the user */
    /* any thread */
    _Atomic int refs; /* the user, until freed, attributes, and calls under way; acq_rel keyval_drop_one */
};

/* Its number, or MPI_KEYVAL_INVALID without memory. */
int keyval_new(enum attr_kind kind, struct attr_callbacks callbacks, void *extra);

/* The key with that number, held for the caller; NULL if there is none of this kind. */
struct keyval *keyval_hold(enum attr_kind kind, int number);
/* One more for a key that is held. */
struct keyval *keyval_again(struct keyval *key);
void keyval_drop(struct keyval *key);

/* The user's reference is gone; its attributes live on, and can be deleted by its number. Again: nothing. False if there
 * is none of this kind. */
bool keyval_free(enum attr_kind kind, int number);

/* Is it one of MPI's predefined keys of communicators or windows? */
bool keyval_is_predefined(int number);

/* ---- attributes ---- */

struct attribute;

/* The three public functions: they raise their errors for w. */
int attr_set(struct where w, int keyval, struct attr_value value);
/* *(void **)value in C, else *(MPI_Aint *)value. */
int attr_get(struct where w, int keyval, enum attr_language language, void *value, int *flag);
int attr_delete(struct where w, int keyval);
/* Raises MPI_ERR_KEYVAL. */
int attr_no_key(struct where w, enum attr_kind kind, int keyval);

/* What a duplicate of `from` is to have, by the copy callbacks, the oldest first. Not MPI_SUCCESS: a
 * callback's error, or MPI_ERR_NO_MEM; the message is noted, it is not raised yet, and what was copied has
 * been deleted. NULL has none. */
int attr_copy(ep_comm from, struct attribute **copies);

/* Give the copies to a view that has none. MPI_ERR_NO_MEM: they are still the caller's. */
int attr_give(ep_comm view, struct attribute *copies);

/* Delete copies that no communicator got; errors of the callbacks are of no consequence. */
void attr_discard(ep_comm view_for_callbacks, struct attribute *copies);

/* Delete all, the newest first, up to the first callback that fails; its error is noted, not raised, and
 * returned. */
int attr_clear(ep_comm view);

#endif
