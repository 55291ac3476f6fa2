/* SPDX-License-Identifier: BSD-3-Clause */
/* errhandlers.c: error handlers and the program's own classes, codes and texts (MPI 8.3, 8.4, 8.5). */
#include "pairs.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the handlers of this thread were called with last. */
static _Thread_local struct {
    int calls, first, second; /* of each handler */
    ep_comm comm;
    int code;
    char text[MPI_MAX_ERROR_STRING];
} seen;

static void forget(void)
{
    memset(&seen, 0, sizeof seen);
}

static void write_down(ep_comm *comm, int *code, const char *text)
{
    seen.calls++;
    seen.comm = *comm;
    seen.code = *code;
    snprintf(seen.text, sizeof seen.text, "%s", text);
    *code = -5; /* neither of these is anybody's business */
    *comm = EP_COMM_NULL;
}

static void first_handler(ep_comm *comm, int *code, ...)
{
    va_list args;
    va_start(args, code);
    write_down(comm, code, va_arg(args, const char *));
    va_end(args);
    seen.first++;
}

static void second_handler(ep_comm *comm, int *code, ...)
{
    va_list args;
    va_start(args, code);
    write_down(comm, code, va_arg(args, const char *));
    va_end(args);
    seen.second++;
}

static void expect_seen(ep_comm comm, int code, const char *part)
{
    EXPECT_EQ(seen.calls, 1);
    EXPECT(seen.comm == comm);
    EXPECT_EQ(seen.code, code);
    EXPECT_CONTAINS(seen.text, part);
    forget();
}

static void called(team_t *t, void *arg)
{
    ep_errhandler handler = EP_ERRHANDLER_NULL;
    ep_request request = EP_REQUEST_NULL;
    char text[MPI_MAX_ERROR_STRING], where[64];
    int x = 0, two[2] = {0, 0}, length = 0;
    (void)arg;
    EXPECT_OK(ep_comm_create_errhandler(first_handler, &handler));
    EXPECT(handler != EP_ERRHANDLER_NULL);
    EXPECT_OK(ep_comm_set_errhandler(t->comm, handler));
    forget();
    EXPECT_OK(ep_send(&x, 0, MPI_INT, MPI_PROC_NULL, 0, t->comm));
    EXPECT_EQ(seen.calls, 0);
    EXPECT_RC(ep_send(&x, 1, MPI_INT, t->size, 0, t->comm), MPI_ERR_RANK);
    EXPECT_OK(ep_error_string(MPI_ERR_RANK, text, &length));
    EXPECT_STR(seen.text, text);
    snprintf(where, sizeof where, "endpoint %d of %d", t->rank, t->size);
    EXPECT_CONTAINS(seen.text, where);
    expect_seen(t->comm, MPI_ERR_RANK, "ep_send");
    EXPECT_RC(ep_send(&x, 1, MPI_INT, t->rank, -9, t->comm), MPI_ERR_TAG);
    expect_seen(t->comm, MPI_ERR_TAG, "tag");
    /* an error that shows in a wait belongs to the request's communicator */
    EXPECT_OK(ep_irecv(&x, 1, MPI_INT, t->rank, 3, t->comm, &request));
    EXPECT_OK(ep_send(two, 2, MPI_INT, t->rank, 3, t->comm));
    EXPECT_RC(ep_wait(&request, EP_STATUS_IGNORE), MPI_ERR_TRUNCATE);
    expect_seen(t->comm, MPI_ERR_TRUNCATE, "8 bytes");
    EXPECT_OK(ep_comm_set_errhandler(t->comm, EP_ERRORS_RETURN));
    EXPECT_RC(ep_send(&x, 1, MPI_INT, t->size, 0, t->comm), MPI_ERR_RANK);
    EXPECT_EQ(seen.calls, 0);
    EXPECT_OK(ep_errhandler_free(&handler));
    EXPECT(handler == EP_ERRHANDLER_NULL);
}

/* Each endpoint has its own. */
static void independent(team_t *t, void *arg)
{
    ep_errhandler handler;
    int x = 0;
    (void)arg;
    EXPECT_OK(ep_comm_create_errhandler(t->rank % 2 ? second_handler : first_handler, &handler));
    EXPECT_OK(ep_comm_set_errhandler(t->comm, handler));
    EXPECT_OK(ep_errhandler_free(&handler));
    team_barrier(t);
    forget();
    EXPECT_RC(ep_send(&x, 1, MPI_INT, t->size, 0, t->comm), MPI_ERR_RANK);
    EXPECT_EQ(seen.first, t->rank % 2 == 0);
    EXPECT_EQ(seen.second, t->rank % 2 == 1);
    expect_seen(t->comm, MPI_ERR_RANK, "dest");
    team_barrier(t);
}

static void lifetime(team_t *t, void *arg)
{
    ep_errhandler handler, stale, got = EP_ERRHANDLER_NULL, other;
    int x = 0;
    (void)arg;
    EXPECT_OK(ep_comm_create_errhandler(first_handler, &handler));
    EXPECT_OK(ep_comm_set_errhandler(t->comm, handler));
    stale = handler;
    EXPECT_OK(ep_errhandler_free(&handler));
    forget();
    EXPECT_RC(ep_send(&x, 1, MPI_INT, t->size, 0, t->comm), MPI_ERR_RANK); /* it is in use still */
    EXPECT_EQ(seen.first, 1);
    forget();
    EXPECT_RC(ep_comm_set_errhandler(t->comm, stale), MPI_ERR_ARG);
    expect_seen(t->comm, MPI_ERR_ARG, "errhandler");
    EXPECT_OK(ep_comm_get_errhandler(t->comm, &got)); /* a new handle */
    EXPECT(got == stale);
    EXPECT_OK(ep_comm_create_errhandler(second_handler, &other));
    EXPECT(other != got);
    EXPECT_OK(ep_comm_set_errhandler(t->comm, other));
    EXPECT_OK(ep_comm_set_errhandler(t->comm, got)); /* the handle alone keeps it */
    forget();
    EXPECT_RC(ep_send(&x, 1, MPI_INT, t->size, 0, t->comm), MPI_ERR_RANK);
    EXPECT_EQ(seen.first, 1);
    EXPECT_OK(ep_comm_set_errhandler(t->comm, EP_ERRORS_RETURN));
    EXPECT_OK(ep_errhandler_free(&got));
    EXPECT_OK(ep_errhandler_free(&other));
    team_barrier(t); /* nobody in this process has a new handler in the same place */
    EXPECT_RC(ep_comm_set_errhandler(t->comm, stale), MPI_ERR_ARG);
    EXPECT_RC(ep_comm_set_errhandler(t->comm, EP_ERRHANDLER_NULL), MPI_ERR_ARG);
    EXPECT_OK(ep_comm_get_errhandler(t->comm, &got));
    EXPECT(got == EP_ERRORS_RETURN);
    EXPECT_OK(ep_errhandler_free(&got)); /* what get gives may be freed, whatever it is */
    EXPECT(got == EP_ERRHANDLER_NULL);
}

static void inherited(team_t *t, void *arg)
{
    ep_errhandler handler;
    ep_comm dup = EP_COMM_NULL;
    int x = 0;
    (void)arg;
    EXPECT_OK(ep_comm_create_errhandler(second_handler, &handler));
    EXPECT_OK(ep_comm_set_errhandler(t->comm, handler));
    EXPECT_OK(ep_errhandler_free(&handler));
    if (!EXPECT_OK(ep_comm_dup(t->comm, &dup)))
        return;
    EXPECT_OK(ep_comm_set_errhandler(t->comm, EP_ERRORS_RETURN)); /* the duplicate keeps its own */
    forget();
    EXPECT_RC(ep_send(&x, 1, MPI_INT, t->size, 0, dup), MPI_ERR_RANK);
    EXPECT_EQ(seen.second, 1);
    expect_seen(dup, MPI_ERR_RANK, "dest");
    EXPECT_RC(ep_send(&x, 1, MPI_INT, t->size, 0, t->comm), MPI_ERR_RANK);
    EXPECT_EQ(seen.calls, 0);
    EXPECT_OK(ep_comm_free(&dup));
}

/* The handler of the process: for errors of no communicator, and for new endpoints. */
static void of_process(void)
{
    int n = team_local_count(), x = 0;
    ep_comm *comms = xmalloc((size_t)n * sizeof *comms);
    ep_errhandler handler, got = EP_ERRHANDLER_NULL;
    EXPECT_OK(ep_comm_create_errhandler(first_handler, &handler));
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, handler));
    EXPECT_OK(ep_comm_get_errhandler(EP_COMM_WORLD, &got));
    EXPECT(got == handler);
    EXPECT_OK(ep_errhandler_free(&got));
    forget();
    EXPECT_RC(ep_send(&x, 1, MPI_INT, 0, 0, EP_COMM_NULL), MPI_ERR_COMM);
    expect_seen(EP_COMM_WORLD, MPI_ERR_COMM, "EP_COMM_NULL");
    EXPECT_RC(ep_comm_create_errhandler(NULL, &got), MPI_ERR_ARG);
    expect_seen(EP_COMM_WORLD, MPI_ERR_ARG, "ep_comm_create_errhandler");
    EXPECT_RC(ep_comm_create_errhandler(first_handler, NULL), MPI_ERR_ARG);
    expect_seen(EP_COMM_WORLD, MPI_ERR_ARG, "errhandler");
    got = EP_ERRHANDLER_NULL;
    EXPECT_RC(ep_errhandler_free(&got), MPI_ERR_ARG);
    expect_seen(EP_COMM_WORLD, MPI_ERR_ARG, "EP_ERRHANDLER_NULL");
    if (EXPECT_OK(ep_comm_create_endpoints(MPI_COMM_WORLD, n, MPI_INFO_NULL, comms)))
        for (int i = 0; i < n; i++) {
            EXPECT_RC(ep_send(&x, 1, MPI_INT, -77, 0, comms[i]), MPI_ERR_RANK);
            expect_seen(comms[i], MPI_ERR_RANK, "dest");
            EXPECT_OK(ep_comm_free(&comms[i]));
        }
    EXPECT_OK(ep_errhandler_free(&handler));
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_ARE_FATAL));
    free(comms);
}

static void call(team_t *t, void *arg)
{
    ep_errhandler handler;
    char text[MPI_MAX_ERROR_STRING];
    int code, length;
    (void)arg;
    EXPECT_OK(ep_add_error_code(MPI_ERR_BUFFER, &code));
    EXPECT_OK(ep_add_error_string(code, "the well is dry"));
    EXPECT_OK(ep_comm_call_errhandler(t->comm, code)); /* EP_ERRORS_RETURN: nothing happens */
    EXPECT_OK(ep_comm_create_errhandler(first_handler, &handler));
    EXPECT_OK(ep_comm_set_errhandler(t->comm, handler));
    EXPECT_OK(ep_errhandler_free(&handler));
    forget();
    EXPECT_OK(ep_comm_call_errhandler(t->comm, code));
    expect_seen(t->comm, code, "the well is dry");
    EXPECT_OK(ep_comm_call_errhandler(t->comm, MPI_ERR_DIMS));
    expect_seen(t->comm, MPI_ERR_DIMS, "");
    EXPECT_OK(ep_comm_call_errhandler(t->comm, 987654)); /* no code: the handler is called all the same */
    expect_seen(t->comm, 987654, "987654");
    /* what a library got from ep and passes on has its whole message */
    EXPECT_RC(ep_send(&code, 1, MPI_INT, t->size, 0, t->comm), MPI_ERR_RANK);
    forget();
    EXPECT_OK(ep_comm_call_errhandler(t->comm, MPI_ERR_RANK));
    expect_seen(t->comm, MPI_ERR_RANK, "ep_send");
    EXPECT_OK(ep_error_string(MPI_ERR_RANK, text, &length));
    EXPECT_CONTAINS(text, "ep_send");
}

/* ---- a handler that fails itself ---- */

static void clumsy(ep_comm *comm, int *code, ...)
{
    ep_comm failing = *comm;
    int x = 0, size = 0;
    seen.calls++;
    (void)code;
    EXPECT_OK(ep_comm_set_errhandler(failing, EP_ERRORS_RETURN)); /* it goes on running all the same */
    EXPECT_OK(ep_comm_size(failing, &size));
    EXPECT_RC(ep_send(&x, 1, MPI_INT, 0, -4, failing), MPI_ERR_TAG);
}

static void nested(team_t *t, void *arg)
{
    ep_errhandler handler;
    char text[MPI_MAX_ERROR_STRING];
    int x = 0, length;
    (void)arg;
    EXPECT_OK(ep_comm_create_errhandler(clumsy, &handler));
    EXPECT_OK(ep_comm_set_errhandler(t->comm, handler));
    EXPECT_OK(ep_errhandler_free(&handler));
    forget();
    EXPECT_RC(ep_send(&x, 1, MPI_INT, t->size, 0, t->comm), MPI_ERR_RANK);
    EXPECT_EQ(seen.calls, 1);
    EXPECT_OK(ep_error_string(MPI_ERR_RANK, text, &length));
    EXPECT_CONTAINS(text, "dest");
}

/* ---- one thread sets handlers while the other makes errors ---- */

enum { ROUNDS = 500 };

struct changer {
    team_t *team;
    atomic_int stop;
};

static void *change(void *arg)
{
    struct changer *c = arg;
    ep_errhandler handler;
    team_adopt(c->team);
    for (int i = 0; !atomic_load(&c->stop); i++) {
        EXPECT_OK(ep_comm_create_errhandler(i % 2 ? first_handler : second_handler, &handler));
        EXPECT_OK(ep_comm_set_errhandler(c->team->comm, handler));
        EXPECT_OK(ep_errhandler_free(&handler));
    }
    return NULL;
}

static void two_threads(team_t *t, void *arg)
{
    struct changer c = {.team = t};
    ep_errhandler handler;
    pthread_t other;
    int x = 0, rounds = ROUNDS / harness_slowness();
    (void)arg;
    EXPECT_OK(ep_comm_create_errhandler(first_handler, &handler));
    EXPECT_OK(ep_comm_set_errhandler(t->comm, handler));
    EXPECT_OK(ep_errhandler_free(&handler));
    int started = EXPECT(pthread_create(&other, NULL, change, &c) == 0);
    forget();
    for (int i = 0; i < rounds; i++)
        EXPECT_RC(ep_send(&x, 1, MPI_INT, t->size, 0, t->comm), MPI_ERR_RANK);
    atomic_store(&c.stop, 1);
    if (started)
        pthread_join(other, NULL);
    EXPECT_EQ(seen.calls, rounds);
    EXPECT_EQ(seen.first + seen.second, rounds);
}

/* ---- classes, codes, texts ---- */

static int last_used_code(team_t *t)
{
    int *value = NULL, flag = 0;
    EXPECT_OK(ep_comm_get_attr(t->comm, MPI_LASTUSEDCODE, &value, &flag));
    return flag ? *value : -1;
}

static void expect_text(int code, const char *want)
{
    char text[MPI_MAX_ERROR_STRING] = "junk";
    int length = -1;
    EXPECT_OK(ep_error_string(code, text, &length));
    EXPECT_STR(text, want);
    EXPECT_EQ(length, (int)strlen(want));
}

static void expect_class(int code, int want)
{
    int class = -1;
    EXPECT_OK(ep_error_class(code, &class));
    EXPECT_EQ(class, want);
}

static void codes(team_t *t, void *arg)
{
    int class = -1, code = -1, of_mpi = -1, before = last_used_code(t);
    char longest[2 * MPI_MAX_ERROR_STRING], cut[MPI_MAX_ERROR_STRING];
    (void)arg;
    EXPECT_OK(ep_add_error_class(&class));
    EXPECT_OK(ep_add_error_code(class, &code));
    EXPECT_OK(ep_add_error_code(MPI_ERR_TRUNCATE, &of_mpi));
    EXPECT(class > MPI_ERR_LASTCODE);
    EXPECT(code > before && of_mpi > before && class > before);
    EXPECT(class != code && code != of_mpi && class != of_mpi);
    EXPECT(last_used_code(t) >= code && last_used_code(t) >= of_mpi);
    expect_class(class, class);
    expect_class(code, class);
    expect_class(of_mpi, MPI_ERR_TRUNCATE);
    expect_class(MPI_ERR_TRUNCATE, MPI_ERR_TRUNCATE);
    expect_class(MPI_SUCCESS, MPI_SUCCESS);
    expect_text(class, "");
    expect_text(code, "");
    EXPECT_OK(ep_add_error_string(class, "errors of the pump"));
    EXPECT_OK(ep_add_error_string(code, "the handle is broken"));
    expect_text(class, "errors of the pump");
    expect_text(code, "the handle is broken");
    expect_text(of_mpi, "");
    EXPECT_OK(ep_add_error_string(code, "it is mended"));
    expect_text(code, "it is mended");
    EXPECT_OK(ep_add_error_string(code, ""));
    expect_text(code, "");
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    memcpy(cut, longest, sizeof cut - 1);
    cut[sizeof cut - 1] = '\0';
    EXPECT_OK(ep_add_error_string(code, longest));
    expect_text(code, cut);
}

static void bad_codes_body(team_t *t, void *arg)
{
    int class, code, none = last_used_code(t) + 1000, out = -1, length;
    char text[MPI_MAX_ERROR_STRING];
    (void)arg;
    EXPECT_OK(ep_add_error_class(&class));
    EXPECT_OK(ep_add_error_code(class, &code));
    EXPECT_RC(ep_error_class(none, &out), MPI_ERR_ARG);
    EXPECT_RC(ep_error_class(-3, &out), MPI_ERR_ARG);
    EXPECT_RC(ep_error_string(none, text, &length), MPI_ERR_ARG);
    EXPECT_RC(ep_add_error_code(none, &out), MPI_ERR_ARG);
    EXPECT_RC(ep_add_error_code(code, &out), MPI_ERR_ARG); /* a code, not a class */
    EXPECT_RC(ep_add_error_code(MPI_SUCCESS, &out), MPI_ERR_ARG);
    EXPECT_RC(ep_add_error_code(-1, &out), MPI_ERR_ARG);
    EXPECT_RC(ep_add_error_string(none, "x"), MPI_ERR_ARG);
    EXPECT_RC(ep_add_error_string(MPI_ERR_RANK, "x"), MPI_ERR_ARG); /* MPI's texts are MPI's */
    EXPECT_RC(ep_add_error_string(code, NULL), MPI_ERR_ARG);
    EXPECT_RC(ep_add_error_class(NULL), MPI_ERR_ARG);
    EXPECT_RC(ep_add_error_code(class, NULL), MPI_ERR_ARG);
    EXPECT_EQ(out, -1);
}

static void bad_codes(void)
{
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN));
    team_run(bad_codes_body, NULL);
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_ARE_FATAL));
}

static int fail_with(ep_comm comm, int keyval, void *value, void *extra)
{
    (void)comm;
    (void)keyval;
    (void)value;
    return *(int *)extra;
}

/* The code of a callback goes to the handler and to the caller as it is. */
static void code_of_callback(team_t *t, void *arg)
{
    ep_errhandler handler;
    int code, result, key;
    (void)arg;
    EXPECT_OK(ep_add_error_code(MPI_ERR_OTHER, &code));
    EXPECT_OK(ep_add_error_string(code, "stuck valve"));
    EXPECT_OK(ep_comm_create_errhandler(first_handler, &handler));
    EXPECT_OK(ep_comm_set_errhandler(t->comm, handler));
    EXPECT_OK(ep_errhandler_free(&handler));
    EXPECT_OK(ep_comm_create_keyval(EP_COMM_DUP_FN, fail_with, &key, &result));
    EXPECT_OK(ep_comm_set_attr(t->comm, key, NULL));
    result = code;
    forget();
    EXPECT_RC(ep_comm_delete_attr(t->comm, key), code);
    expect_seen(t->comm, code, "stuck valve");
    ep_comm comm = t->comm;
    EXPECT_RC(ep_comm_free(&t->comm), code);
    EXPECT(t->comm == comm);
    expect_seen(t->comm, code, "stuck valve");
    result = MPI_SUCCESS;
    EXPECT_OK(ep_comm_free(&t->comm));
    EXPECT_EQ(seen.calls, 0);
    EXPECT_OK(ep_comm_free_keyval(&key));
}

static const harness_test tests[] = {
    {"called", called, NULL},
    {"independent", independent, NULL},
    {"lifetime", lifetime, NULL},
    {"inherited", inherited, NULL},
    {"of the process", NULL, of_process},
    {"call", call, NULL},
    {"nested", nested, NULL},
    {"two threads", two_threads, NULL},
    {"codes", codes, NULL},
    {"bad codes", NULL, bad_codes},
    {"code of a callback", code_of_callback, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "errhandlers", tests);
}
