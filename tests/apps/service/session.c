/* SPDX-License-Identifier: BSD-3-Clause */
/* session.c: attributes with callbacks. */
#include "service.h"
#include <stdlib.h>

static int keyval = MPI_KEYVAL_INVALID;
static int alive = 0, finalized = 0;

static int copy_session(MPI_Comm comm, int key, void *extra, void *value, void *copy, int *flag)
{
    session *s = malloc(sizeof *s), *old = value;
    (void)comm;
    (void)key;
    *s = (session){.generation = old->generation + 1};
    ++*(int *)extra;
    *(session **)copy = s;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete_session(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm;
    (void)key;
    free(value);
    --*(int *)extra;
    return MPI_SUCCESS;
}

void session_open(MPI_Comm comm)
{
    session *s = calloc(1, sizeof *s);
    if (keyval == MPI_KEYVAL_INVALID)
        MPI_Comm_create_keyval(copy_session, delete_session, &keyval, &alive);
    MPI_Comm_set_attr(comm, keyval, s);
    alive++;
}

session *session_of(MPI_Comm comm)
{
    session *s = NULL;
    int found = 0;
    if (keyval != MPI_KEYVAL_INVALID)
        MPI_Comm_get_attr(comm, keyval, &s, &found);
    return found ? s : NULL;
}

int sessions_alive(void)
{
    return alive;
}

static int at_finalize(MPI_Comm comm, int key, void *value, void *extra)
{
    int up = 0;
    (void)comm;
    (void)key;
    (void)extra;
    MPI_Finalized(&up);
    *(int *)value = !up; /* MPI can still be used here */
    return MPI_SUCCESS;
}

void at_finalize_register(void)
{
    int key;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_finalize, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, &finalized);
    MPI_Comm_free_keyval(&key); /* lives on as long as the attribute */
}

int at_finalize_done(void)
{
    return finalized;
}
