/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Error handlers: EP_ERRORS_ARE_FATAL and EP_ERRORS_RETURN are constants, others objects that count who
 * needs them. The object of a freed handle lives on while communicators, windows or files use it.
 */
#ifndef EP_COMM_ERRHANDLER_H
#define EP_COMM_ERRHANDLER_H

#include <ep.h>

#include "base/base.h"

/* What its function is for (MPI 8.3). */
enum errhandler_kind { ERRHANDLER_COMM, ERRHANDLER_WIN, ERRHANDLER_FILE };

/* Of C or of Fortran, where all are the same. */
struct errhandler_function {
    bool is_fortran;
    union {
        ep_comm_errhandler_function *comm;
        ep_win_errhandler_function *win;
        ep_file_errhandler_function *file;
        void (*fortran)(MPI_Fint *handle, MPI_Fint *error_code);
    };
};

struct ep_errhandler_s {
    struct pool_item item; /* the pool's while free */
    uint32_t magic;        /* ERRHANDLER_EVER, also of a freed one, which has no handles */
    /* constant while refs > 0 */
    enum errhandler_kind kind;
    struct errhandler_function function;
    /* under the lock of all error handlers */
    int handles;      /* the user's: one per create and per get. A handle is valid while there is one */
    int refs;         /* the handles, communicators, windows, files, and calls under way */
    MPI_Fint fortran; /* handle.h, under its lock; 0: none yet */
};

enum { ERRHANDLER_EVER = 0x65706568 };

static inline bool errhandler_is_object(ep_errhandler e)
{
    return (uintptr_t)e > (uintptr_t)EP_ERRORS_RETURN;
}

/* With one handle. NULL without memory. */
ep_errhandler errhandler_new(enum errhandler_kind kind, struct errhandler_function function);

/* A constant or an object whose handle is not freed. */
bool errhandler_is_valid(ep_errhandler e);

/* Count one who needs e, which somebody else needs meanwhile, and no longer. EP_ERRHANDLER_NULL and
 * constants: nothing. */
ep_errhandler errhandler_hold(ep_errhandler e);
void errhandler_drop(ep_errhandler e);

/* What is kept at *from, held for the caller, though others may put another one there at the same time. */
ep_errhandler errhandler_take(_Atomic(ep_errhandler) *from);

/* The same as a new handle of the user. */
ep_errhandler errhandler_get(_Atomic(ep_errhandler) *from);

/* Put e to *to, which holds it then, instead of what was there. False if e is not valid, or of another kind; constants
 * are of all. */
bool errhandler_put(_Atomic(ep_errhandler) *to, ep_errhandler e, enum errhandler_kind kind);

/* What is kept at *from goes to *to, too, instead of what was there. */
void errhandler_inherit(_Atomic(ep_errhandler) *to, _Atomic(ep_errhandler) *from);

/* Free one handle. False if e is not valid. */
bool errhandler_free(ep_errhandler e);

#endif
