/* SPDX-License-Identifier: BSD-3-Clause */
/* Message passing in a ring: who sees the flag sees what was written before the fence, or the quiet, or with the signal; many rounds, of
 * all ways to write data and flag. */
#include "check.h"

enum { WORDS = 400, ROUNDS = 400, WAYS = 12 };
static uint64_t data[WORDS], flag, answer;
static shmem_ctx_t ctx;

static void write_data(int way, const uint64_t *mine, int pe)
{
    switch (way % 4) {
    case 0: shmem_uint64_put(data, mine, WORDS, pe); break;
    case 1:
        for (int i = 0; i < WORDS; i++)
            shmem_uint64_p(&data[i], mine[i], pe);
        break;
    case 2: shmem_uint64_put_nbi(data, mine, WORDS, pe); break;
    default:
        shmem_uint64_iput(data, mine, 2, 2, WORDS / 2, pe);
        shmem_uint64_iput(data + 1, mine + 1, 2, 2, WORDS / 2, pe);
        break;
    }
}

static void pass(int way, const uint64_t *mine, uint64_t round, int pe)
{
    if (way == 8) {
        shmem_uint64_put_signal(data, mine, WORDS, &flag, round, SHMEM_SIGNAL_SET, pe);
    } else if (way == 9) {
        shmem_uint64_put_signal_nbi(data, mine, WORDS, &flag, 1, SHMEM_SIGNAL_ADD, pe);
    } else if (way >= 10) {
        shmem_ctx_uint64_put_nbi(ctx, data, mine, WORDS, pe);
        if (way == 10)
            shmem_ctx_fence(ctx);
        else
            shmem_ctx_quiet(ctx);
        shmem_ctx_uint64_p(ctx, &flag, round, pe);
    } else {
        write_data(way, mine, pe);
        if (way < 4)
            shmem_fence();
        else
            shmem_quiet();
        switch (round % 3) {
        case 0: shmem_uint64_p(&flag, round, pe); break;
        case 1: shmem_uint64_atomic_set(&flag, round, pe); break;
        default: shmem_uint64_atomic_inc(&flag, pe); break;
        }
    }
}

static void await(uint64_t *word, uint64_t round, int how)
{
    switch (how) {
    case 0: shmem_uint64_wait_until(word, SHMEM_CMP_EQ, round); break;
    case 1: shmem_signal_wait_until(word, SHMEM_CMP_GE, round); break;
    default:
        while (!shmem_uint64_test(word, SHMEM_CMP_EQ, round))
            rest();
    }
}

int main(void)
{
    static uint64_t mine[2][WORDS];

    shmem_init();
    CHECK(shmem_ctx_create(0, &ctx) == 0);
    int me = shmem_my_pe(), left = left_of(1);
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        uint64_t *out = mine[round % 2]; /* of the round before last: complete, as the answer says */
        for (size_t i = 0; i < WORDS; i++)
            out[i] = pattern(me, i, (int)round);
        pass((int)(round % WAYS), out, round, right_of(1));
        await(&flag, round, (int)(round / WAYS % 3));
        for (size_t i = 0; i < WORDS; i++)
            CHECK_AT(data[i] == pattern(left, i, (int)round), round);
        shmem_uint64_p(&answer, round, left); /* may be overwritten */
        await(&answer, round, 0);
    }
    shmem_ctx_quiet(ctx);
    shmem_ctx_destroy(ctx);
    return check_end();
}
