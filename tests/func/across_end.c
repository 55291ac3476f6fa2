/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * across_end.c: processes that end MPI while what they have sent is still on its way. Those of even rank send to the next
 * one and end; that one does something else for a while and then receives. EP_TEST_END says what is sent:
 *   freed     large messages, scattered ones and synchronous ones whose requests were freed (also without it)
 *   eager     more eager messages than the descriptors hold
 *   home      more short messages than the ring holds
 *   buffered  by ep_bsend, and the buffer is not detached
 *   leaves    short ones by process 0 alone; the others go on with each other
 *
 * Catches: a process that does not wait for its receivers (messages lost or garbage), or waits for ever.
 */
#include <ep.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness.h"

enum { LARGE = 300000, EAGER = 60000, EAGER_TIMES = 620, HOME_TIMES = 2500, TIMES = 6, RING = 300, TAG = 4 };

static int me, size, bad;
static ep_comm comm;

static void check(int ok, const char *what)
{
    if (!ok)
        fprintf(stderr, "process %d: %s\n", me, what);
    bad |= !ok;
}

static char *filled(size_t bytes, unsigned key)
{
    char *buf = xmalloc(bytes);
    fill(buf, bytes, key);
    return buf;
}

static void receive(int from, size_t bytes, int times)
{
    char *buf = xmalloc(bytes);
    nanosleep(&(struct timespec){.tv_nsec = 150 * 1000 * 1000}, NULL);
    for (int i = 0; i < times; i++) {
        char *want = filled(bytes, (unsigned)i);
        memset(buf, 0, bytes);
        check(ep_recv(buf, (int)bytes, MPI_BYTE, from, TAG, comm, EP_STATUS_IGNORE) == MPI_SUCCESS,
              "receive");
        check(memcmp(buf, want, bytes) == 0, "wrong data");
        free(want);
    }
    free(buf);
}

/* ---- what is sent; buffers stay, as MPI wants it ---- */

static void freed(int to)
{
    for (int i = 0; i < TIMES; i++) {
        static char *kept[TIMES];
        char *data = filled(LARGE, (unsigned)i);
        ep_request r;
        kept[i] = data;
        if (i % 3 == 2) { /* in two halves, the second one first */
            MPI_Datatype halves;
            kept[i] = xmalloc(LARGE);
            memcpy(kept[i] + LARGE / 2, data, LARGE / 2);
            memcpy(kept[i], data + LARGE / 2, LARGE / 2);
            MPI_Type_create_hindexed(2, (int[]){LARGE / 2, LARGE / 2}, (MPI_Aint[]){LARGE / 2, 0}, MPI_BYTE,
                                     &halves);
            MPI_Type_commit(&halves);
            ep_isend(kept[i], 1, halves, to, TAG, comm, &r);
            MPI_Type_free(&halves);
            free(data);
        } else {
            (i % 3 ? ep_issend : ep_isend)(data, LARGE, MPI_BYTE, to, TAG, comm, &r);
        }
        ep_request_free(&r);
    }
}

static void eager(int to)
{
    for (int i = 0; i < EAGER_TIMES / harness_slowness(); i++) {
        char *data = filled(EAGER, (unsigned)i);
        ep_send(data, EAGER, MPI_BYTE, to, TAG, comm);
        free(data);
    }
}

static void home(int to)
{
    static char data[HOME_TIMES][8];
    for (int i = 0; i < HOME_TIMES; i++) {
        ep_request r;
        fill(data[i], 8, (unsigned)i);
        ep_isend(data[i], 8, MPI_BYTE, to, TAG, comm, &r);
        ep_request_free(&r);
    }
}

static void buffered(int to)
{
    int room = TIMES * (LARGE + EP_BSEND_OVERHEAD);
    static char *buffer;
    buffer = xmalloc((size_t)room);
    ep_buffer_attach(buffer, room);
    for (int i = 0; i < TIMES; i++) {
        char *data = filled(LARGE, (unsigned)i);
        check(ep_bsend(data, LARGE, MPI_BYTE, to, TAG, comm) == MPI_SUCCESS, "bsend");
        free(data);
    }
}

/* All but process 0 go round in a ring. */
static void go_on(void)
{
    int others = size - 1, next = 1 + me % others, before = 1 + (me - 2 + others) % others, got = -1;
    char *out = filled(LARGE, 1), *in = xmalloc(LARGE);
    for (int i = 0; i < RING && me > 0; i++) {
        ep_sendrecv(&i, 1, MPI_INT, next, TAG + 1, &got, 1, MPI_INT, before, TAG + 1, comm, EP_STATUS_IGNORE);
        check(got == i, "ring");
        if (i % 50 == 0)
            ep_sendrecv(out, LARGE, MPI_BYTE, next, TAG + 1, in, LARGE, MPI_BYTE, before, TAG + 1, comm,
                        EP_STATUS_IGNORE);
    }
    free(out);
    free(in);
}

static void run(const char *what)
{
    int sends = me % 2 == 0, to = me + 1, from = me - 1;
    if (sends && to == size)
        return;
    if (strcmp(what, "eager") == 0)
        sends ? eager(to) : receive(from, EAGER, EAGER_TIMES / harness_slowness());
    else if (strcmp(what, "home") == 0)
        sends ? home(to) : receive(from, 8, HOME_TIMES);
    else if (strcmp(what, "buffered") == 0)
        sends ? buffered(to) : receive(from, LARGE, TIMES);
    else if (strcmp(what, "freed") == 0)
        sends ? freed(to) : receive(from, LARGE, TIMES);
}

int main(int argc, char **argv)
{
    int provided;
    const char *what = getenv("EP_TEST_END");
    what = what ? what : "freed";
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    ep_comm_create_endpoints(MPI_COMM_WORLD, 1, MPI_INFO_NULL, &comm);
    ep_comm_rank(comm, &me);
    ep_comm_size(comm, &size);
    if (strcmp(what, "leaves") != 0) {
        run(what);
    } else if (me == 0) {
        for (int i = 0; i < HOME_TIMES; i++)
            ep_send(filled(8, (unsigned)i), 8, MPI_BYTE, 1, TAG, comm);
    } else {
        go_on();
        if (me == 1)
            receive(0, 8, HOME_TIMES);
    }
    ep_comm_free(&comm);
    ep_finalize();
    MPI_Finalize();
    return bad;
}
