/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem: env SHMEM_SYMMETRIC_SIZE=6M */
/* More than there is gives NULL in all PEs, and leaves what was there; what is freed is there again, in one piece. */
#include "check.h"

enum { MOST = 20000 };
static char *blocks[MOST];

/* How many there are until the heap is exhausted. */
static int use_up(size_t bytes, int round)
{
    int n = 0;

    while (n < MOST && (blocks[n] = shmem_malloc(bytes)) != NULL) {
        fill(blocks[n], bytes < 512 ? bytes : 512, shmem_my_pe() + n, round);
        n++;
    }
    CHECK_AT(n < MOST, n);
    CHECK(shmem_realloc(blocks[0], bytes + (8 << 20)) == NULL);
    for (int i = 0; i < n; i++)
        CHECK_AT(differs(blocks[i], bytes < 512 ? bytes : 512, shmem_my_pe() + i, round) < 0, i);
    return n;
}

static void give_back(int n, int step)
{
    for (int first = 0; first < step; first++)
        for (int i = first; i < n; i += step)
            shmem_free(blocks[i]);
}

int main(void)
{
    shmem_init();
    CHECK(shmem_malloc((size_t)1 << 40) == NULL && shmem_malloc(SIZE_MAX) == NULL && shmem_malloc(SIZE_MAX - 64) == NULL);
    CHECK(shmem_calloc(1 << 20, 1 << 20) == NULL && shmem_align(4096, (size_t)1 << 40) == NULL);
    CHECK(shmem_malloc_with_hints((size_t)1 << 50, SHMEM_MALLOC_ATOMICS_REMOTE) == NULL);
    char *most = shmem_malloc(4 << 20); /* of 6M */
    CHECK(most != NULL);
    CHECK(shmem_malloc(6 << 20) == NULL);
    shmem_free(most);
    for (int round = 0; round < 3; round++) {
        size_t bytes = round == 0 ? 20000 : round == 1 ? 300000 : 7000;
        int n = use_up(bytes, round);
        CHECK_AT((size_t)n * bytes >= 4u << 20, n); /* little is lost */
        give_back(n, round + 1);
        most = shmem_malloc(5 << 20);
        CHECK_AT(most != NULL, round);
        shmem_free(most);
    }
    return check_end();
}
