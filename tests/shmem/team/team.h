/* SPDX-License-Identifier: BSD-3-Clause */
/* What programs ask of a team: are its members these, in this order, and do its collectives work? */
#ifndef SHMEM_CHECK_TEAM_H
#define SHMEM_CHECK_TEAM_H

#include "check.h"

enum { MOST_PES = 16 };

/* members: world PEs in the team's order. Called by all PEs; those that are no members have SHMEM_TEAM_INVALID. */
HELPER void check_members(shmem_team_t team, const int *members, int n, int round)
{
    int me = shmem_my_pe(), mine = -1;
    /* Of the world, and not of the team: what the team's collectives write. */
    static long sums[2], all[MOST_PES];

    for (int i = 0; i < n; i++)
        if (members[i] == me)
            mine = i;
    CHECK_AT((team == SHMEM_TEAM_INVALID) == (mine < 0), round);
    CHECK_AT(shmem_team_my_pe(team) == mine, round);
    CHECK_AT(shmem_team_n_pes(team) == (mine < 0 ? -1 : n), round);
    if (mine < 0)
        return;
    for (int i = 0; i < n; i++)
        CHECK_AT(shmem_team_translate_pe(team, i, SHMEM_TEAM_WORLD) == members[i], round);
    for (int pe = 0; pe < shmem_n_pes(); pe++) {
        int there = -1;
        for (int i = 0; i < n; i++)
            if (members[i] == pe)
                there = i;
        CHECK_AT(shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, team) == there, round);
    }
    long want = 0;
    for (int i = 0; i < n; i++)
        want += members[i] * 3L + round;
    sums[0] = me * 3L + round;
    CHECK_AT(shmem_long_sum_reduce(team, &sums[1], &sums[0], 1) == 0, round);
    CHECK_AT(sums[1] == want, round);
    CHECK_AT(shmem_long_fcollect(team, all, &sums[0], 1) == 0, round);
    for (int i = 0; i < n; i++)
        CHECK_AT(all[i] == members[i] * 3L + round, round);
    CHECK_AT(shmem_team_sync(team) == 0, round);
}

#endif
