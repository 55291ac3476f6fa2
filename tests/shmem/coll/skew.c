/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives one behind the other without barriers between, in teams that overlap, by PEs that come late in turns, with puts and atomics
 * under way. */
#include "check.h"

enum { ROUNDS = 150, MOST_PES = 16, BLOCK = 100 };
static shmem_team_t low, high, row;
static long in[4], out[4], all[MOST_PES * 2], many_in[3000], many_out[3000], amo;
static long cross_in[MOST_PES * BLOCK], cross_out[2][MOST_PES * BLOCK];

static long value(int pe, int round)
{
    return (long)(pattern(pe, 1, round) % 100000);
}

static void late(unsigned *state)
{
    for (unsigned k = next_random(state) % 4; k > 0; k--)
        rest();
}

/* The members are PEs first, first + 1, ... */
static void sum(shmem_team_t team, int first, int size, int round, int slot)
{
    long want = 0;

    if (team == SHMEM_TEAM_INVALID)
        return;
    for (int i = 0; i < size; i++)
        want += value(first + i, round);
    in[slot] = value(shmem_my_pe(), round);
    CHECK_AT(shmem_long_sum_reduce(team, &out[slot], &in[slot], 1) == 0, round);
    CHECK_AT(out[slot] == want, round);
}

static void broadcast(shmem_team_t team, int first, int size, int round)
{
    int root = round % size;

    if (team == SHMEM_TEAM_INVALID)
        return;
    if (shmem_team_my_pe(team) == root)
        for (size_t i = 0; i < COUNT(many_in); i++)
            many_in[i] = (long)pattern(root, i, round);
    CHECK_AT(shmem_long_broadcast(team, many_out, many_in, COUNT(many_in), root) == 0, round);
    for (size_t i = 0; i < COUNT(many_in); i++)
        CHECK_AT(many_out[i] == (long)pattern(root, i, round), round);
    shmem_team_sync(team); /* the next root writes */
    (void)first;
}

/* Two dests in turn: who has left a call knows that all have come to it, and are done with the dest of the one before. */
static void alltoalls(int n, int round, unsigned *state)
{
    int me = shmem_my_pe();

    for (int call = 0; call < 4; call++) {
        int size = (round + call) % 4 ? 1 : BLOCK;
        long *dest = cross_out[call % 2];
        for (int i = 0; i < n * size; i++)
            cross_in[i] = value(me * 10000 + i, round + call);
        late(state);
        CHECK_AT(shmem_long_alltoall(row, dest, cross_in, (size_t)size) == 0, round);
        for (int pe = 0; pe < n; pe++)
            for (int k = 0; k < size; k++)
                CHECK_AT(dest[pe * size + k] == value(pe * 10000 + me * size + k, round + call), round);
    }
}

/* One dest: that it is ready is not asked of those who call this. */
static void fcollects(int n, int round, unsigned *state)
{
    int me = shmem_my_pe();

    for (int call = 0; call < 4; call++) {
        int size = (round + call) % 4 ? 1 : BLOCK;
        for (int i = 0; i < size; i++)
            cross_in[i] = value(me * 10000 + i, round + call);
        late(state);
        CHECK_AT(shmem_long_fcollect(row, cross_out[0], cross_in, (size_t)size) == 0, round);
        late(state);
        for (int pe = 0; pe < n; pe++)
            for (int k = 0; k < size; k++)
                CHECK_AT(cross_out[0][pe * size + k] == value(pe * 10000 + k, round + call), round);
    }
}

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), half = (n + 1) / 2;
    unsigned state = (unsigned)me * 77u + 1;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, half, NULL, 0, &low);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, n / 2, 1, n - n / 2, NULL, 0, &high);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &row);
    for (int round = 0; round < ROUNDS; round++) {
        late(&state);
        shmem_long_atomic_inc(&amo, right_of(round));
        sum(low, 0, half, round, 0);
        sum(high, n / 2, n - n / 2, round, 1);
        late(&state);
        sum(SHMEM_TEAM_WORLD, 0, n, round, 2);
        sum(row, 0, n, round + 1, 3);
        if (round % 4 == 0) {
            broadcast(high, n / 2, n - n / 2, round);
            broadcast(low, 0, half, round);
        }
        alltoalls(n, round, &state);
        shmem_team_sync(row);
        fcollects(n, round, &state);
        in[0] = value(me, round + 2);
        CHECK(shmem_long_fcollect(row, all, in, 1) == 0);
        for (int pe = 0; pe < n; pe++)
            CHECK_AT(all[pe] == value(pe, round + 2), round);
        shmem_team_sync(row);
    }
    shmem_barrier_all();
    CHECK_AT(amo == ROUNDS, amo);
    return check_end();
}
