/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/errcode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comm/error.h"
#include "comm/process.h"

/* MPICH's added codes are 2^30 and up to 27 bits. */
enum { FIRST_CODE = 0x50000000, ERRCODE_FIRST_ROOM = 16, MAX_CODES = 1 << 24 };

struct code {
    int class;
    char *text; /* NULL: none yet */
};

/* Code FIRST_CODE + i is codes[i]. */
static struct {
    struct lock lock; /* guards all */
    struct code *codes;
    int n, room;
    int last_used; /* only grows */
} added = {.lock = LOCK_FREE(ERRCODES)};

/* The code's entry or NULL. */
static struct code *errcode_find(int code)
{
    lock_assert_held(&added.lock);
    return code >= FIRST_CODE && code - FIRST_CODE < added.n ? &added.codes[code - FIRST_CODE] : NULL;
}

static bool is_mpi_code(int code)
{
    return code >= MPI_SUCCESS && code <= MPI_ERR_LASTCODE;
}

/* 0: not an added code. */
static int added_class(int code)
{
    lock_acquire(&added.lock);
    const struct code *c = errcode_find(code);
    int class = c ? c->class : 0;
    lock_release(&added.lock);
    return class;
}

bool code_is_known(int code)
{
    return is_mpi_code(code) || added_class(code);
}

bool code_is_added(int code)
{
    return code >= FIRST_CODE && added_class(code);
}

int code_class(int code)
{
    return is_mpi_code(code) ? error_class_of_mpi(code) : added_class(code);
}

bool code_is_class(int code)
{
    return code_is_known(code) && code_class(code) == code;
}

static void text_of_mpi(int code, char *text)
{
    int length = 0;
    snprintf(text, MPI_MAX_ERROR_STRING, "error class %d", code);
    if (!process_mpi_runs())
        return;
    mpi_enter();
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS)
        text[0] = '\0';
    mpi_leave();
}

void code_text(int code, char *text)
{
    if (is_mpi_code(code)) {
        text_of_mpi(code, text);
        return;
    }
    lock_acquire(&added.lock);
    const struct code *c = errcode_find(code);
    const char *known = c && c->text ? c->text : "";
    snprintf(text, MPI_MAX_ERROR_STRING, "%s", c ? known : "unknown error code");
    lock_release(&added.lock);
}

/* Room for one more. */
static bool errcode_grow(void)
{
    lock_assert_held(&added.lock);
    if (added.n < added.room)
        return true;
    int room = added.room ? 2 * added.room : ERRCODE_FIRST_ROOM;
    struct code *codes = room <= MAX_CODES ? realloc(added.codes, (size_t)room * sizeof *codes) : NULL;
    if (!codes)
        return false;
    added.codes = codes;
    added.room = room;
    return true;
}

int code_add(int error_class)
{
    int code = 0;
    lock_acquire(&added.lock);
    if (errcode_grow()) {
        code = FIRST_CODE + added.n;
        added.codes[added.n++] = (struct code){error_class ? error_class : code, NULL};
        added.last_used = code;
    }
    lock_release(&added.lock);
    return code;
}

int code_set_text(int code, const char *text)
{
    char *copy = strndup(text, MPI_MAX_ERROR_STRING - 1), *old = copy;
    lock_acquire(&added.lock);
    struct code *c = errcode_find(code);
    if (c && copy) {
        old = c->text;
        c->text = copy;
    }
    lock_release(&added.lock);
    free(old);
    if (!c)
        return MPI_ERR_ARG;
    return copy ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

int *code_last_used(int of_mpi)
{
    static _Thread_local int seen; /* others may add codes while the caller looks */
    lock_acquire(&added.lock);
    if (of_mpi > added.last_used)
        added.last_used = of_mpi;
    seen = added.last_used;
    lock_release(&added.lock);
    return &seen;
}
