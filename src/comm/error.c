/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/error.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comm/comm.h"
#include "comm/errhandler.h"

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

int raise_error(struct where where, int error_class, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error_compose(where, error_class, format, args);
    va_end(args);
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
    if (on && !off)
        MPI_Abort(MPI_COMM_WORLD, error_class);
    _Exit(error_class);
}

/* What the handler does may fail too; ep_error_string tells about the first error again when it is
 * through. */
static void error_call_handler(const struct ep_errhandler_s *h, ep_comm view, int code)
{
    ep_comm comm = view ? handle_of(view) : EP_COMM_WORLD;
    ep_win win = view ? view->window : EP_WIN_NULL;
    int given = code;
    char text[MPI_MAX_ERROR_STRING];
    strcpy(text, text_of(code));
    if (h->kind == ERRHANDLER_WIN)
        h->function.win(&win, &given, text);
    else
        h->function.comm(&comm, &given, text);
    last.code = code;
    strcpy(last.text, text);
}

/* What belongs to no communicator is the world's (MPI 8.3), where the thread has one. */
int handle_error(ep_comm view, int error_class)
{
    if (!view)
        view = thread_world();
    ep_errhandler h = errhandler_take(view ? &view->errhandler : &process.errhandler);
    if (h == EP_ERRORS_ARE_FATAL)
        abort_job(error_class);
    if (errhandler_is_object(h)) {
        error_call_handler(h, view, error_class);
        errhandler_drop(h);
    }
    return error_class;
}
