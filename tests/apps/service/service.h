/* SPDX-License-Identifier: BSD-3-Clause */
/* service.h: what clients and servers agree on. */
#ifndef SERVICE_H
#define SERVICE_H
#include <mpi.h>

enum { KEYS = 1000, LIST_MOST = 64 };
enum operation { ADD = 1, COUNT, LIST, WRONG, BYE, ANSWER, REFUSED }; /* tags */

/* A request is three of MPI_LONG. */
enum { KEY, VALUE, NUMBER, FIELDS };

typedef struct {
    enum operation op;
    int server;
    long fields[FIELDS];
} request;

extern int requests_per_client;

/* The request i of a client: known to everyone who wants to check. */
request request_of(int client, int i, int servers);

/* Commands go by one intercommunicator, lists by a duplicate of it. */
typedef struct {
    MPI_Comm control, bulk;
    int is_server, peers; /* peers: of the other side */
} channel;

/* session.c: what each communicator knows about its use, as an attribute. */
typedef struct {
    int generation; /* how many times duplicated */
    long calls, errors;
} session;
void session_open(MPI_Comm comm);
session *session_of(MPI_Comm comm);
int sessions_alive(void);
/* Something to do when MPI ends; returns whether it has been done. */
void at_finalize_register(void);
int at_finalize_done(void);

/* errors.c */
void errors_prepare(MPI_Comm comm);
void errors_release(void);
/* Says the handler of the communicator that a request was refused. */
void errors_refused(MPI_Comm comm);
/* Number of calls that should have failed in another way than they did. */
int errors_check(MPI_Comm comm);

/* Returns the number of things that went wrong. */
int client_run(channel *c, int client);
int server_run(channel *c, int server, int servers, long *total);

/* Counts and says what does not hold. */
int expect(int holds, const char *what);
#endif
