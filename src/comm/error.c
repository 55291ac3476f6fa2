/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/error.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comm/comm.h"
#include "comm/errhandler.h"
#include "comm/handle.h"
#include "comm/process.h"

static _Thread_local struct {
    int code;
    char text[MPI_MAX_ERROR_STRING];
} last;

const char *error_message(int code)
{
    return code != MPI_SUCCESS && code == last.code && !code_is_added(code) ? last.text : NULL;
}

int error_class_of_mpi(int mpi_code)
{
    int c = MPI_ERR_OTHER;
    if (mpi_code == MPI_SUCCESS)
        return MPI_SUCCESS;
    MPI_Error_class(mpi_code, &c);
    return c;
}

/* Append to last.text; what does not fit is cut. */
__attribute__((format(printf, 1, 0))) static void error_vappend(const char *format, va_list args)
{
    size_t used = strlen(last.text);
    vsnprintf(last.text + used, sizeof last.text - used, format, args);
}

__attribute__((format(printf, 1, 2))) static void error_append(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error_vappend(format, args);
    va_end(args);
}

/* Settings are called EP_ in all programs. */
static bool is_setting(const char *s)
{
    for (int i = 0; settings_entry(i); i++) {
        size_t n = strlen(settings_entry(i)->env);
        if (strncmp(s, settings_entry(i)->env, n) == 0 && !isalnum((unsigned char)s[n]) && s[n] != '_')
            return true;
    }
    return false;
}

/* Does a name of ep's begin at s, which is a part of text? */
static bool is_our_name(const char *text, const char *s)
{
    if (s > text && (isalnum((unsigned char)s[-1]) || s[-1] == '_'))
        return false;
    return (strncmp(s, "ep_", 3) == 0 || strncmp(s, "EP_", 3) == 0) && isalpha((unsigned char)s[3]) &&
           !is_setting(s);
}

/* For a program that knows nothing of endpoints: ep_send is MPI_Send, EP_COMM_NULL is MPI_COMM_NULL. */
static void speak_mpi(char *text)
{
    char old[MPI_MAX_ERROR_STRING];
    size_t n = 0;
    strcpy(old, text);
    for (const char *s = old; *s && n < MPI_MAX_ERROR_STRING - 6; s++) {
        if (!is_our_name(old, s)) {
            text[n++] = *s;
            continue;
        }
        s += 3;
        memcpy(text + n, "MPI_", 4);
        text[n + 4] = (char)toupper((unsigned char)*s);
        n += 5;
    }
    text[n] = '\0';
}

/* "ep_send: endpoint 3 of 8 (process 1): dest is 12, ...". The endpoint comes first: MPI's limit on error
 * strings may cut the end. */
__attribute__((format(printf, 3, 0))) static void error_compose(struct where w, int error_class,
                                                                const char *format, va_list args)
{
    last.code = error_class;
    last.text[0] = '\0';
    if (w.call)
        error_append("%s: ", w.call);
    if (w.view) {
        lock_acquire(&w.view->lock);
        const char *name = w.view->extras ? w.view->extras->name : "";
        error_append("endpoint %d of %d (process %d%s%s): ", w.view->rank, w.view->size, process.rank,
                     name[0] ? ", " : "", name);
        lock_release(&w.view->lock);
    }
    error_vappend(format, args);
    if (load_relaxed(&process.runs_ranks))
        speak_mpi(last.text);
}

void note_error(struct where where, int error_class, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error_compose(where, error_class, format, args);
    va_end(args);
}

static bool is_of_files(const char *call)
{
    return call && strncmp(call, "ep_file_", 8) == 0;
}

int raise_error(struct where where, int error_class, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error_compose(where, error_class, format, args);
    va_end(args);
    if (is_of_files(where.call) && !(where.view && view_part(where.view, HANDLE_FILE)))
        return handle_no_file(error_class);
    return handle_error(where.view, error_class);
}

/* The text that goes with a code: noted, or else little. */
static const char *text_of(int code)
{
    char text[MPI_MAX_ERROR_STRING];
    if (code != last.code) {
        code_text(code, text);
        note_error((struct where){NULL, NULL}, code, "%s", text);
    }
    return last.text;
}

static void abort_job(int error_class)
{
    int on = 0, off = 0;
    MPI_Initialized(&on);
    MPI_Finalized(&off);
    log_error("%s [error class %d]", text_of(error_class), error_class);
    log_await_readers();
    if (on && !off)
        MPI_Abort(MPI_COMM_WORLD, error_class);
    _Exit(error_class);
}

static void error_call_function(const struct ep_errhandler_s *h, ep_comm view, int code, char *text)
{
    ep_comm comm = view ? handle_of(view) : EP_COMM_WORLD;
    ep_file file = view ? view_part(view, HANDLE_FILE) : EP_FILE_NULL;
    ep_win win = view ? view_part(view, HANDLE_WIN) : EP_WIN_NULL;
    if (h->function.is_fortran) {
        const void *none = h->kind == ERRHANDLER_FILE ? (void *)EP_FILE_NULL : (void *)comm;
        MPI_Fint number = view ? view_number(view) : handle_of_constant(none), given = code;
        h->function.fortran(&number, &given);
    } else if (h->kind == ERRHANDLER_WIN) {
        h->function.win(&win, &code, text);
    } else if (h->kind == ERRHANDLER_FILE) {
        h->function.file(&file, &code, text);
    } else {
        h->function.comm(&comm, &code, text);
    }
}

/* What the handler does may fail too; ep_error_string tells about the first error again when it is
 * through. */
static void error_call_handler(const struct ep_errhandler_s *h, ep_comm view, int code)
{
    char text[MPI_MAX_ERROR_STRING];
    strcpy(text, text_of(code));
    error_call_function(h, view, code, text);
    last.code = code;
    strcpy(last.text, text);
}

static int handle_by(_Atomic(ep_errhandler) *handler, ep_comm view, int error_class)
{
    ep_errhandler h = errhandler_take(handler);
    if (h == EP_ERRORS_ARE_FATAL)
        abort_job(error_class);
    if (errhandler_is_object(h)) {
        error_call_handler(h, view, error_class);
        errhandler_drop(h);
    }
    return error_class;
}

/* What belongs to no communicator is the world's (MPI 8.3), where the thread has one. */
int handle_error(ep_comm view, int error_class)
{
    if (!view)
        view = thread_world();
    return handle_by(view ? &view->errhandler : &process.errhandler, view, error_class);
}

_Atomic(ep_errhandler) *no_file_handler(void)
{
    ep_comm world = thread_world();
    struct extras *x = world ? view_extras(world) : NULL;
    return x ? &x->no_file : &process.no_file;
}

int handle_no_file(int error_class)
{
    return handle_by(no_file_handler(), NULL, error_class);
}

/* ---- codes ---- */

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
