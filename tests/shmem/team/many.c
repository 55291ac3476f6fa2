/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams that come and go: many at once, many one after the other, with collectives of overlapping ones between, and such that the program
 * forgets to destroy. */
#include "team.h"

enum { ROUNDS = 40, AT_ONCE = 20 };

static shmem_team_t prefix(int size)
{
    shmem_team_t team;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, size, NULL, 0, &team);
    return team;
}

int main(void)
{
    int world[MOST_PES];
    shmem_team_t teams[AT_ONCE];

    shmem_init();
    int n = shmem_n_pes();
    for (int pe = 0; pe < n; pe++)
        world[pe] = pe;
    for (int round = 0; round < ROUNDS; round++) {
        shmem_team_t team = prefix(1 + round % n);
        check_members(team, world, 1 + round % n, round);
        if (team != SHMEM_TEAM_INVALID)
            shmem_team_destroy(team);
    }
    for (int k = 0; k < AT_ONCE; k++)
        teams[k] = prefix(1 + k % n);
    for (int k = AT_ONCE - 1; k >= 0; k--)
        check_members(teams[k], world, 1 + k % n, k);
    for (int k = 0; k < AT_ONCE; k += 3)
        if (teams[k] != SHMEM_TEAM_INVALID)
            shmem_team_destroy(teams[k]);
    for (int k = 1; k < AT_ONCE; k += 3)
        check_members(teams[k], world, 1 + k % n, k);
    return check_end();
}
