/* SPDX-License-Identifier: BSD-3-Clause */
/* server.c: a share of the keys. */
#include "service.h"
#include <stdlib.h>

static long table[KEYS];
static long *counts; /* per client */
static int goodbyes;

static void answer_list(MPI_Comm comm, const long fields[FIELDS], int client)
{
    long list[LIST_MOST];
    int n = (int)fields[VALUE];
    for (int i = 0; i < n; i++)
        list[i] = fields[KEY] * 100 + i;
    MPI_Send(list, n, MPI_LONG, client, ANSWER, comm);
}

static void serve(MPI_Comm comm, const long fields[FIELDS], int op, int client)
{
    long answer = fields[NUMBER];
    session_of(comm)->calls++;
    switch (op) {
    case ADD:
        table[fields[KEY]] += fields[VALUE];
        break;
    case COUNT:
        answer = ++counts[client];
        MPI_Send(&answer, 1, MPI_LONG, client, ANSWER, comm);
        break;
    case LIST:
        answer_list(comm, fields, client);
        break;
    case BYE:
        goodbyes++;
        break;
    default:
        MPI_Send(&answer, 1, MPI_LONG, client, REFUSED, comm);
    }
}

/* Nothing comes any more: what is still posted must be taken back. */
static int withdraw(MPI_Request *r)
{
    MPI_Status status;
    int cancelled;
    MPI_Cancel(r);
    MPI_Wait(r, &status);
    MPI_Test_cancelled(&status, &cancelled);
    return expect(cancelled, "cancelling a receive");
}

int server_run(channel *c, int server, int servers, long *total)
{
    MPI_Comm comms[2] = {c->control, c->bulk};
    MPI_Request pending[2];
    long fields[2][FIELDS];
    int wrong = 0, i;
    counts = calloc((size_t)c->peers, sizeof *counts);
    for (i = 0; i < 2; i++)
        MPI_Irecv(fields[i], FIELDS, MPI_LONG, MPI_ANY_SOURCE, MPI_ANY_TAG, comms[i], &pending[i]);
    while (goodbyes < c->peers) {
        MPI_Status status;
        MPI_Waitany(2, pending, &i, &status);
        serve(comms[i], fields[i], status.MPI_TAG, status.MPI_SOURCE);
        MPI_Irecv(fields[i], FIELDS, MPI_LONG, MPI_ANY_SOURCE, MPI_ANY_TAG, comms[i], &pending[i]);
    }
    for (i = 0; i < 2; i++)
        wrong += withdraw(&pending[i]);
    *total = 0;
    for (int key = server; key < KEYS; key += servers)
        *total += table[key] * (key + 1);
    free(counts);
    return wrong;
}
