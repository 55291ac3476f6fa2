/* SPDX-License-Identifier: BSD-3-Clause */
/* A random life of blocks, the same in all PEs: each keeps what was written to it until it is freed. */
#include "check.h"

enum { BLOCKS = 40, STEPS = 500 };
static struct {
    char *at;
    size_t bytes;
    int round;
} blocks[BLOCKS];

static void check_block(int k)
{
    CHECK_AT(differs(blocks[k].at, blocks[k].bytes, shmem_my_pe() + k, blocks[k].round) < 0, k);
}

int main(void)
{
    const char *text = getenv("EP_TEST_SEED");
    unsigned state = text ? (unsigned)atoi(text) : 4711, live = 0;

    shmem_init();
    for (int step = 0; step < STEPS; step++) {
        int k = (int)(next_random(&state) % BLOCKS);
        size_t bytes = 1 + next_random(&state) % (next_random(&state) % 8 ? 300 : 50000);
        if (!blocks[k].at) {
            blocks[k].at = next_random(&state) % 4 ? shmem_malloc(bytes) : shmem_align(256, bytes);
            live++;
        } else {
            check_block(k);
            if (next_random(&state) % 3) {
                shmem_free(blocks[k].at);
                blocks[k].at = NULL;
                live--;
                continue;
            }
            size_t keeps = bytes < blocks[k].bytes ? bytes : blocks[k].bytes;
            blocks[k].at = shmem_realloc(blocks[k].at, bytes);
            CHECK_AT(differs(blocks[k].at, keeps, shmem_my_pe() + k, blocks[k].round) < 0, step);
        }
        CHECK_AT(blocks[k].at != NULL, bytes);
        blocks[k].bytes = bytes;
        blocks[k].round = step;
        fill(blocks[k].at, bytes, shmem_my_pe() + k, step);
        for (int i = 0; i < BLOCKS; i++)
            if (blocks[i].at && step % 25 == 0)
                check_block(i);
    }
    CHECK(live < BLOCKS);
    return check_end(); /* the others are left to shmem_finalize */
}
