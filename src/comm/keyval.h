/* SPDX-License-Identifier: BSD-3-Clause */
/* Attribute keys: numbers for the whole process. A number is never used again. */
#ifndef EP_COMM_KEYVAL_H
#define EP_COMM_KEYVAL_H

#include <ep.h>

#include "base/base.h"

/* What the attributes belong to. */
enum attr_kind { ATTR_COMM, ATTR_WIN, ATTR_TYPE };

/* The user's functions; the member of the key's kind. */
struct attr_callbacks {
    union {
        struct {
            ep_comm_copy_attr_function *copy;
            ep_comm_delete_attr_function *delete;
        } comm;
        struct {
            ep_win_copy_attr_function *copy;
            ep_win_delete_attr_function *delete;
        } win;
    };
};

struct keyval {
    /* constant */
    int number;
    enum attr_kind kind;
    struct attr_callbacks callbacks;
    void *extra;
    /* under the lock of keyval.c */
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

#endif
