/* SPDX-License-Identifier: BSD-3-Clause */
/* client.c: asks, and checks what it is told. */
#include "service.h"
#include <stdlib.h>

static long *counted; /* per server: what its next answer must be */

static int ask_count(channel *c, const request *r)
{
    long answer = 0;
    MPI_Sendrecv(r->fields, FIELDS, MPI_LONG, r->server, COUNT, &answer, 1, MPI_LONG, r->server, ANSWER,
                 c->control, MPI_STATUS_IGNORE);
    return expect(answer == ++counted[r->server], "the count of a server");
}

/* The answer's length is not known. */
static int ask_list(channel *c, const request *r)
{
    MPI_Status status;
    int n = 0, good;
    long *list;
    MPI_Send(r->fields, FIELDS, MPI_LONG, r->server, LIST, c->bulk);
    MPI_Probe(r->server, MPI_ANY_TAG, c->bulk, &status);
    MPI_Get_count(&status, MPI_LONG, &n);
    list = malloc((size_t)(n + 1) * sizeof *list);
    MPI_Recv(list, n, MPI_LONG, status.MPI_SOURCE, status.MPI_TAG, c->bulk, MPI_STATUS_IGNORE);
    good = n == r->fields[VALUE] && status.MPI_TAG == ANSWER;
    for (int i = 0; i < n; i++)
        good = good && list[i] == r->fields[KEY] * 100 + i;
    free(list);
    return expect(good, "a list");
}

static int ask_wrong(channel *c, const request *r)
{
    MPI_Status status;
    long answer = -1;
    MPI_Request receive;
    MPI_Irecv(&answer, 1, MPI_LONG, r->server, MPI_ANY_TAG, c->control, &receive);
    MPI_Ssend(r->fields, FIELDS, MPI_LONG, r->server, WRONG, c->control);
    MPI_Wait(&receive, &status);
    if (status.MPI_TAG == REFUSED)
        errors_refused(c->control);
    return expect(status.MPI_TAG == REFUSED && answer == r->fields[NUMBER], "a refusal");
}

/* More comes than fits: an error of this call alone. */
static int ask_too_much(channel *c, int server)
{
    long list[2], fields[FIELDS] = {3, LIST_MOST, 0};
    int code, class = MPI_SUCCESS;
    session *s = session_of(c->bulk);
    MPI_Send(fields, FIELDS, MPI_LONG, server, LIST, c->bulk);
    code = MPI_Recv(list, 2, MPI_LONG, server, ANSWER, c->bulk, MPI_STATUS_IGNORE);
    MPI_Error_class(code, &class);
    return expect(class == MPI_ERR_TRUNCATE && s->errors == 1, "an answer that is too long");
}

static int ask(channel *c, const request *r)
{
    session_of(r->op == LIST ? c->bulk : c->control)->calls++;
    switch (r->op) {
    case COUNT:
        return ask_count(c, r);
    case LIST:
        return ask_list(c, r);
    case WRONG:
        return ask_wrong(c, r);
    default:
        MPI_Send(r->fields, FIELDS, MPI_LONG, r->server, ADD, c->control);
        return 0;
    }
}

static void say_goodbye(channel *c)
{
    long fields[FIELDS] = {0, 0, 0};
    int size = c->peers * ((int)sizeof fields + MPI_BSEND_OVERHEAD);
    void *buffer = malloc((size_t)size);
    MPI_Buffer_attach(buffer, size);
    for (int s = 0; s < c->peers; s++)
        MPI_Bsend(fields, FIELDS, MPI_LONG, s, BYE, c->control);
    MPI_Buffer_detach(&buffer, &size);
    free(buffer);
}

int client_run(channel *c, int client)
{
    int wrong = 0;
    long refused = 0;
    counted = calloc((size_t)c->peers, sizeof *counted);
    for (int i = 0; i < requests_per_client; i++) {
        request r = request_of(client, i, c->peers);
        refused += r.op == WRONG;
        wrong += ask(c, &r);
    }
    wrong += ask_too_much(c, client % c->peers);
    wrong += expect(session_of(c->control)->errors == refused, "the number of refusals");
    say_goodbye(c);
    free(counted);
    return wrong;
}
