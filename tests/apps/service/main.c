/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * service: some processes are servers of a table, the others clients; they talk by intercommunicators.
 *     service [-q] [-n requests per client]
 */
#include "service.h"
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static MPI_Comm world = MPI_COMM_WORLD, side = MPI_COMM_NULL;
static channel chan = {.control = MPI_COMM_NULL, .bulk = MPI_COMM_NULL};
static int rank, size, servers;
int requests_per_client = 4000;

static void parse(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "qn:")) != -1)
        switch (c) {
        case 'q':
            requests_per_client = 200;
            break;
        case 'n':
            requests_per_client = atoi(optarg);
            break;
        default:
            fprintf(stderr, "usage: service [-q] [-n requests]\n");
            MPI_Abort(world, 2);
        }
    if (size < 2) {
        fprintf(stderr, "service: takes a client and a server, at least 2 processes\n");
        MPI_Abort(world, 2);
    }
}

int expect(int holds, const char *what)
{
    if (!holds)
        fprintf(stderr, "service: rank %d: not as it should be: %s\n", rank, what);
    return !holds;
}

request request_of(int client, int i, int count)
{
    static const enum operation operations[8] = {ADD, ADD, ADD, ADD, COUNT, COUNT, LIST, WRONG};
    uint64_t x = ((uint64_t)client << 32) + (uint64_t)i + 1;
    request r;
    x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 32)) * 0x94d049bb133111ebu;
    r.op = operations[x >> 61];
    r.fields[KEY] = (long)(x % KEYS);
    r.fields[VALUE] = r.op == LIST ? (long)(x >> 20) % (LIST_MOST + 1) : (long)(x >> 20) % 1000;
    r.fields[NUMBER] = i;
    r.server = (int)r.fields[KEY] % count;
    return r;
}

/* Servers are the first ranks, the leaders the first of each side. */
static void connect_sides(void)
{
    chan.is_server = rank < servers;
    MPI_Comm_split(world, chan.is_server, rank, &side);
    MPI_Intercomm_create(side, 0, world, chan.is_server ? servers : 0, 7, &chan.control);
    MPI_Comm_remote_size(chan.control, &chan.peers);
    session_open(chan.control);
    errors_prepare(chan.control);
    MPI_Comm_dup(chan.control, &chan.bulk);
}

static int check_channel(void)
{
    MPI_Group theirs, all;
    int wrong = 0, inter = 0, relation, zero = 0, there = -1;
    MPI_Comm_test_inter(chan.bulk, &inter);
    wrong += expect(inter, "a duplicate of an intercommunicator");
    MPI_Comm_compare(chan.control, chan.bulk, &relation);
    wrong += expect(relation == MPI_CONGRUENT, "a duplicate is congruent");
    wrong += expect(chan.peers == (chan.is_server ? size - servers : servers), "the size of the other side");
    wrong +=
        expect(session_of(chan.bulk) != NULL && session_of(chan.bulk)->generation == 1, "a copied attribute");
    wrong += expect(session_of(world) == NULL, "no attribute where none was set");
    MPI_Comm_remote_group(chan.control, &theirs);
    MPI_Comm_group(world, &all);
    MPI_Group_translate_ranks(theirs, 1, &zero, all, &there);
    wrong += expect(there == (chan.is_server ? servers : 0), "the first of the other side");
    MPI_Group_free(&theirs);
    MPI_Group_free(&all);
    return wrong;
}

/* The first server tells all clients how many requests to send; each side learns the other's sum of ranks. */
static int agree(void)
{
    int told = rank == 0 ? requests_per_client : -1, root = 0, sum = 0, other = 0;
    if (chan.is_server)
        root = rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    MPI_Bcast(&told, 1, MPI_INT, root, chan.control);
    if (!chan.is_server)
        requests_per_client = told;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, chan.control);
    for (int r = 0; r < size; r++)
        other += (r < servers) != chan.is_server ? r : 0;
    return expect(sum == other, "a sum over the other side");
}

/* What all servers together must have in the end. */
static long long wanted_total(void)
{
    long long total = 0;
    for (int client = 0; client < size - servers; client++)
        for (int i = 0; i < requests_per_client; i++) {
            request r = request_of(client, i, servers);
            if (r.op == ADD)
                total += (long long)r.fields[VALUE] * (r.fields[KEY] + 1);
        }
    return total;
}

/* Clients come first when both sides become one. */
static int report(int wrong, long total, double time)
{
    MPI_Comm both;
    long long mine[2] = {total, 0}, all[2];
    int there, good;
    MPI_Intercomm_merge(chan.control, chan.is_server, &both);
    MPI_Comm_rank(both, &there);
    wrong += expect(there == (rank + size - servers) % size, "the order after a merge");
    mine[1] = wrong;
    MPI_Allreduce(mine, all, 2, MPI_LONG_LONG, MPI_SUM, both);
    MPI_Comm_free(&both);
    good = all[1] == 0 && all[0] == wanted_total();
    if (rank == 0) {
        printf("RESULT service servers %d requests %d checksum %lld %s\n", servers,
               requests_per_client * (size - servers), all[0], good ? "PASSED" : "FAILED");
        printf("TIME service %.4f\n", time);
    }
    return good;
}

static int disconnect(void)
{
    int wrong = 0;
    MPI_Comm_free(&chan.bulk);
    wrong += expect(sessions_alive() == 1, "one attribute gone with its communicator");
    MPI_Comm_free(&chan.control);
    wrong += expect(sessions_alive() == 0 && chan.control == MPI_COMM_NULL, "all attributes gone");
    MPI_Comm_free(&side);
    errors_release();
    return wrong;
}

int main(int argc, char **argv)
{
    int wrong, good, local;
    long total = 0;
    double time;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    parse(argc, argv);
    servers = size / 4 > 0 ? size / 4 : 1;
    at_finalize_register();
    connect_sides();
    MPI_Comm_rank(side, &local);
    wrong = check_channel() + agree();
    time = MPI_Wtime();
    wrong += chan.is_server ? server_run(&chan, local, servers, &total) : client_run(&chan, local);
    time = MPI_Wtime() - time;
    wrong += errors_check(side);
    good = report(wrong, total, time) && disconnect() == 0;
    MPI_Finalize();
    if (expect(at_finalize_done(), "the attribute of MPI_COMM_SELF at the end"))
        good = 0;
    return good ? 0 : 1;
}
