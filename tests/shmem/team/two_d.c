/* SPDX-License-Identifier: BSD-3-Clause */
/* split_2d: rows and columns of the world and of a team backwards, with rows of all lengths, the last row shorter. */
#include "team.h"

static void split(shmem_team_t parent, const int *parents, int n, int xrange, int round)
{
    int me = shmem_my_pe(), at = -1, row[MOST_PES], column[MOST_PES], length = 0, height = 0, x = xrange < n ? xrange : n;
    shmem_team_t xteam = SHMEM_TEAM_INVALID, yteam = SHMEM_TEAM_INVALID;
    shmem_team_config_t config = {1};

    for (int i = 0; i < n; i++)
        if (parents[i] == me)
            at = i;
    for (int i = 0; i < n; i++) {
        if (i / x == at / x)
            row[length++] = parents[i];
        if (i % x == at % x)
            column[height++] = parents[i];
    }
    CHECK_AT(shmem_team_split_2d(parent, xrange, round % 2 ? &config : NULL, round % 2 ? SHMEM_TEAM_NUM_CONTEXTS : 0, &xteam, NULL,
                                 0, &yteam) == 0, round);
    check_members(xteam, row, length, round);
    check_members(yteam, column, height, round + 1);
    /* Both at once are what a stencil or a matrix does. */
    static long source, sums[2];
    source = at + 1;
    CHECK(shmem_long_sum_reduce(xteam, &sums[0], &source, 1) == 0);
    CHECK(shmem_long_sum_reduce(yteam, &sums[1], &sums[0], 1) == 0);
    long want = 0;
    for (int i = 0; i < height; i++) /* the rows of my column's members, whole */
        for (int k = 0; k < n; k++)
            want += k / x == (i * x + at % x) / x ? k + 1 : 0;
    CHECK_AT(sums[1] == want, round);
    shmem_team_destroy(yteam);
    shmem_team_destroy(xteam);
}

int main(void)
{
    int world[MOST_PES], back[MOST_PES];
    shmem_team_t reversed;

    shmem_init();
    int n = shmem_n_pes();
    for (int pe = 0; pe < n; pe++)
        world[pe] = pe, back[pe] = n - 1 - pe;
    for (int xrange = 1; xrange <= n + 1; xrange += 1 + n / 8)
        split(SHMEM_TEAM_WORLD, world, n, xrange, 10 * xrange);
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &reversed) == 0);
    split(reversed, back, n, 2, 201);
    split(reversed, back, n, 3, 203);
    shmem_team_destroy(reversed);
    return check_end();
}
