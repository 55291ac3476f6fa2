/* SPDX-License-Identifier: BSD-3-Clause */
/* net_peer_copy against memcpy: a child of this process, which has the same memory at the same addresses, is the peer. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "net/peer.h"
#include "unit.h"

enum { MEMORY = 1 << 20, PIECES = 300 };

static char *theirs, *expected; /* the peer's memory, which it never touches; here: what should be in it */
static struct net_peer peer;

/* A peer whose memory has the bytes that `theirs` has now. */
static void begin(void)
{
    theirs = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    expected = malloc(MEMORY);
    for (int i = 0; i < MEMORY; i++)
        expected[i] = theirs[i] = (char)below(256);
    peer.pid = fork();
    if (peer.pid == 0)
        for (;;)
            pause();
    memset(theirs, 0, MEMORY); /* here only: what is read must come from the peer */
}

static void end(void)
{
    kill(peer.pid, SIGKILL);
    waitpid(peer.pid, NULL, 0);
    munmap(theirs, MEMORY);
    free(expected);
}

/* Pieces of random sizes, 0 included, that do not overlap. */
static size_t draw(struct net_piece *pieces, char *here, size_t n)
{
    size_t at = 0, i = 0;
    for (; i < n; i++) {
        size_t bytes = (size_t)below(i % 3 ? 40 : 9000), skip = (size_t)below(100);
        if (at + skip + bytes > MEMORY)
            break;
        at += skip;
        pieces[i] = (struct net_piece){here + at, (uintptr_t)theirs + at, bytes};
        at += bytes;
    }
    return i;
}

START_TEST(pieces)
{
    struct net_piece piece[PIECES];
    char *here = malloc(MEMORY);
    begin();
    for (int round = 0; round < 50; round++) {
        size_t n = draw(piece, here, (size_t)below(PIECES));
        for (int i = 0; i < MEMORY; i++)
            here[i] = (char)below(256);
        ck_assert_int_eq(net_peer_copy(&peer, NET_WRITE, piece, n), MPI_SUCCESS);
        for (size_t i = 0; i < n; i++)
            memcpy(expected + (piece[i].here - here), piece[i].here, piece[i].bytes);
        struct net_piece all = {here, (uintptr_t)theirs, MEMORY};
        ck_assert_int_eq(net_peer_copy(&peer, NET_READ, &all, 1), MPI_SUCCESS);
        ck_assert_mem_eq(here, expected, MEMORY);
        memset(here, 0, MEMORY);
        n = draw(piece, here, (size_t)below(PIECES));
        ck_assert_int_eq(net_peer_copy(&peer, NET_READ, piece, n), MPI_SUCCESS);
        for (size_t i = 0; i < n; i++)
            ck_assert(memcmp(piece[i].here, expected + (piece[i].here - here), piece[i].bytes) == 0);
        for (size_t i = 0; i + 1 < n; i++) /* nothing between */
            for (char *p = piece[i].here + piece[i].bytes; p < piece[i + 1].here; p++)
                ck_assert_int_eq(*p, 0);
    }
    end();
    free(here);
}
END_TEST

START_TEST(no_memory_there)
{
    char here[64];
    begin();
    struct net_piece piece[3] = {{here, (uintptr_t)theirs, 8}, {here + 8, 64, 8}, {here + 16, (uintptr_t)theirs, 8}};
    ck_assert_int_eq(net_peer_copy(&peer, NET_READ, piece, 3), MPI_ERR_BUFFER);
    ck_assert_int_eq(net_peer_copy(&peer, NET_WRITE, piece + 1, 2), MPI_ERR_BUFFER);
    struct net_piece beyond = {here, (uintptr_t)theirs + MEMORY - 8, 8};
    ck_assert_int_eq(net_peer_copy(&peer, NET_READ, &beyond, 1), MPI_SUCCESS);
    ck_assert_int_eq(net_peer_copy(&peer, NET_READ, NULL, 0), MPI_SUCCESS);
    end();
    struct net_piece gone = {here, (uintptr_t)here, 8};
    ck_assert_int_eq(net_peer_copy(&peer, NET_READ, &gone, 1), MPI_ERR_BUFFER);
}
END_TEST

/* Containers may forbid it, and then nobody is a peer (peer.c). */
static bool forbidden(void)
{
    begin();
    char here;
    struct net_piece piece = {&here, (uintptr_t)theirs, 1};
    bool no = net_peer_copy(&peer, NET_READ, &piece, 1) != MPI_SUCCESS;
    end();
    return no;
}

int main(void)
{
    const TTest *tests[] = {pieces, no_memory_there};
    return forbidden() ? 77 : UNIT_MAIN("peer_copy", tests);
}
