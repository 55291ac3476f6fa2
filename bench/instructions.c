/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * instructions.c KERNEL COUNT [FIFO FIFO]: COUNT messages of 8 bytes for instructions.sh, which counts what the functions
 * counted_* execute. Compiled once per peer (peer.h). Nothing waits inside these functions, so that the count is the same in
 * each run:
 *
 *   near_*   both endpoints belong to one thread, which sends, then receives: what is received is there already
 *     pair       send, recv
 *     wild       send, recv from any source with any tag
 *     irecv      irecv, send, wait
 *     window     64 irecv, 64 isend, waitall for both: per message
 *     self       sendrecv with itself
 *   far_pair  two processes of one rank: rank 0 sends one message, then tells rank 1 by a FIFO, not by MPI, to receive it,
 *             and is told when that is done. Neither looks for what is not there yet
 */
#include "harness.h"
#include "peer.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { WINDOW = 64 };

/* Inlining would take the functions' names away, by which the counting is switched on and off. */
#define COUNTED __attribute__((noinline))

static char out[WINDOW][64], in[WINDOW][64];

#ifdef PEER_EP
static struct peer_link to, from; /* from endpoint 0 to 1, and at 1 back */

void counted_pair(int count);
void counted_wild(int count);
void counted_irecv(int count);
void counted_window(int count);
void counted_self(int count);

COUNTED void counted_pair(int count)
{
    for (int i = 0; i < count; i++) {
        peer_send(out, 8, &to);
        peer_recv(in, 8, &from);
    }
}

COUNTED void counted_wild(int count)
{
    for (int i = 0; i < count; i++) {
        peer_send(out, 8, &to);
        ep_recv(in, 8, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, from.comm, EP_STATUS_IGNORE);
    }
}

COUNTED void counted_irecv(int count)
{
    for (int i = 0; i < count; i++) {
        ep_request request;
        peer_irecv(in, 8, &from, &request);
        peer_send(out, 8, &to);
        ep_wait(&request, EP_STATUS_IGNORE);
    }
}

COUNTED void counted_window(int count)
{
    ep_request receives[WINDOW], sends[WINDOW];
    for (int i = 0; i < count; i += WINDOW) {
        for (int w = 0; w < WINDOW; w++)
            peer_irecv(in[w], 8, &from, &receives[w]);
        for (int w = 0; w < WINDOW; w++)
            peer_isend(out[w], 8, &to, &sends[w]);
        peer_waitall(WINDOW, sends);
        peer_waitall(WINDOW, receives);
    }
}

COUNTED void counted_self(int count)
{
    for (int i = 0; i < count; i++)
        ep_sendrecv(out, 8, MPI_BYTE, 0, 1, in, 8, MPI_BYTE, 0, 1, to.comm, EP_STATUS_IGNORE);
}

static bool near(const char *kernel, int count)
{
    static const struct {
        const char *name;
        void (*counted)(int);
    } kernels[] = {{"near_pair", counted_pair},
                   {"near_wild", counted_wild},
                   {"near_irecv", counted_irecv},
                   {"near_window", counted_window},
                   {"near_self", counted_self}};
    to = peer_link(2, 0, 1, 1);
    from = peer_link(2, 1, 0, 1);
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++)
        if (strcmp(kernel, kernels[k].name) == 0) {
            kernels[k].counted(count);
            return true;
        }
    return false;
}
#else
static bool near(const char *kernel, int count)
{
    (void)kernel, (void)count;
    return false;
}
#endif

void counted_send(const struct peer_link *link);
void counted_recv(const struct peer_link *link);

COUNTED void counted_send(const struct peer_link *link)
{
    peer_send(out, 8, link);
}

COUNTED void counted_recv(const struct peer_link *link)
{
    peer_recv(in, 8, link);
}

static void fail(const char *what)
{
    perror(what);
    MPI_Abort(MPI_COMM_WORLD, 2);
}

/* The FIFOs: from 0 to 1, and back. */
static void far(int count, char *const fifos[2])
{
    int me = peer_process, mine, others;
    char word = 0;
    struct peer_link link = peer_link(1, 0, !me, 1);
    /* Each open waits for the other side: in the same order. */
    int first = open(fifos[0], me == 0 ? O_WRONLY : O_RDONLY),
        second = open(fifos[1], me == 0 ? O_RDONLY : O_WRONLY);
    mine = me == 0 ? first : second;
    others = me == 0 ? second : first;
    if (first < 0 || second < 0)
        fail("FIFO");
    for (int i = 0; i < count; i++) {
        if (me == 0)
            counted_send(&link);
        else if (read(others, &word, 1) == 1)
            counted_recv(&link);
        if (write(mine, &word, 1) != 1 || (me == 0 && read(others, &word, 1) != 1))
            fail("FIFO");
    }
}

int main(int argc, char **argv)
{
    if (argc != 3 && argc != 5) {
        fprintf(stderr, "usage: %s near_KERNEL COUNT | far_pair COUNT FIFO FIFO\n", argv[0]);
        return 2;
    }
    bool is_far = argc == 5 && strcmp(argv[1], "far_pair") == 0;
    int threads = is_far ? 1 : 2, count = atoi(argv[2]);
    peer_open(threads, true);
    if (is_far)
        far(count, argv + 3);
    else if (!near(argv[1], count))
        fprintf(stderr, "%s: no kernel named %s\n", argv[0], argv[1]), MPI_Abort(MPI_COMM_WORLD, 2);
    peer_close(threads);
    return 0;
}
