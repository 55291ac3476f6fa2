/* SPDX-License-Identifier: BSD-3-Clause */
/* The teams that there are from the beginning, what is said of them, and the invalid one. */
#include "team.h"

int main(void)
{
    int members[MOST_PES];
    shmem_team_config_t config;
    shmem_team_t team;

    shmem_init();
    int n = shmem_n_pes();
    for (int pe = 0; pe < n; pe++)
        members[pe] = pe;
    check_members(SHMEM_TEAM_WORLD, members, n, 1);
    CHECK(shmem_team_get_config(SHMEM_TEAM_WORLD, SHMEM_TEAM_NUM_CONTEXTS, &config) == 0);

    /* Of the shared team all members are reached by load and store. */
    CHECK(SHMEM_TEAM_SHARED != SHMEM_TEAM_INVALID);
    int shared = shmem_team_n_pes(SHMEM_TEAM_SHARED);
    CHECK(shared >= 1 && shared <= n);
    for (int i = 0; i < shared; i++) {
        members[i] = shmem_team_translate_pe(SHMEM_TEAM_SHARED, i, SHMEM_TEAM_WORLD);
        CHECK_AT(members[i] >= 0 && members[i] < n, i);
    }
    static long word;
    for (int i = 0; i < shared; i++)
        CHECK_AT(shmem_ptr(&word, members[i]) != NULL, i);
    check_members(SHMEM_TEAM_SHARED, members, shared, 2);

    CHECK(shmem_team_my_pe(SHMEM_TEAM_INVALID) == -1 && shmem_team_n_pes(SHMEM_TEAM_INVALID) == -1);
    CHECK(shmem_team_translate_pe(SHMEM_TEAM_INVALID, 0, SHMEM_TEAM_WORLD) == -1);
    CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, 0, SHMEM_TEAM_INVALID) == -1);
    CHECK(shmem_ctx_get_team(SHMEM_CTX_DEFAULT, &team) == 0 && team == SHMEM_TEAM_WORLD);
    shmem_team_destroy(SHMEM_TEAM_INVALID); /* nothing */
    return check_end();
}
