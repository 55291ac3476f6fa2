/* SPDX-License-Identifier: BSD-3-Clause */
/* split_strided: of the world and of teams, forwards, backwards, of one; members, order, translation and collectives of each. */
#include "team.h"

static int round_;

/* The parent's members start, start + stride, ... */
static shmem_team_t split(shmem_team_t parent, const int *parents, int start, int stride, int size, int *members)
{
    shmem_team_t team = SHMEM_TEAM_WORLD;
    int code;

    for (int i = 0; i < size; i++)
        members[i] = parents[start + i * stride];
    code = shmem_team_split_strided(parent, start, stride, size, NULL, 0, &team);
    CHECK_AT(code == 0 || team == SHMEM_TEAM_INVALID, start * 100 + stride * 10 + size);
    check_members(team, members, size, ++round_);
    return team;
}

static void of_team(shmem_team_t parent, const int *parents, int n)
{
    int members[MOST_PES];
    shmem_team_t team;

    for (int stride = -3; stride <= 3; stride++)
        for (int start = 0; start < n; start += 1 + n / 3) {
            int size = stride > 0 ? (n - 1 - start) / stride + 1 : stride < 0 ? start / -stride + 1 : 1;
            if (size > 2 && round_ % 2) /* not to the end */
                size--;
            team = split(parent, parents, start, stride, size, members);
            shmem_team_destroy(team);
        }
}

static void nested(const int *world, int n)
{
    int evens[MOST_PES], quarter[MOST_PES];
    shmem_team_t half = split(SHMEM_TEAM_WORLD, world, 0, 2, (n + 1) / 2, evens);

    if (half != SHMEM_TEAM_INVALID) {
        shmem_team_t part = split(half, evens, (n + 1) / 2 - 1, -1, ((n + 1) / 2 + 1) / 2, quarter);
        if (part != SHMEM_TEAM_INVALID) {
            CHECK(shmem_team_translate_pe(part, 0, half) == (n + 1) / 2 - 1);
            /* from the child to the parent and back */
            for (int i = 0; i < shmem_team_n_pes(part); i++)
                CHECK_AT(shmem_team_translate_pe(half, shmem_team_translate_pe(part, i, half), part) == i, i);
            shmem_team_destroy(part);
        }
        shmem_team_destroy(half);
    }
    shmem_barrier_all();
}

static void config(void)
{
    shmem_team_config_t wanted = {3}, got = {0};
    shmem_team_t team, of;
    shmem_ctx_t ctx[3];
    int n = shmem_n_pes();

    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, &wanted, SHMEM_TEAM_NUM_CONTEXTS, &team) == 0);
    CHECK(shmem_team_get_config(team, SHMEM_TEAM_NUM_CONTEXTS, &got) == 0 && got.num_contexts >= 3);
    for (int i = 0; i < 3; i++) {
        CHECK_AT(shmem_team_create_ctx(team, 0, &ctx[i]) == 0, i);
        CHECK(shmem_ctx_get_team(ctx[i], &of) == 0 && of == team);
    }
    for (int i = 0; i < 3; i++)
        shmem_ctx_destroy(ctx[i]);
    shmem_team_destroy(team);
}

/* What cannot be made gives SHMEM_TEAM_INVALID and a code. */
static void impossible(void)
{
    int n = shmem_n_pes();
    shmem_team_t team = SHMEM_TEAM_WORLD;

    CHECK(shmem_team_split_strided(SHMEM_TEAM_INVALID, 0, 1, n, NULL, 0, &team) != 0 && team == SHMEM_TEAM_INVALID);
}

int main(void)
{
    int world[MOST_PES];

    shmem_init();
    int n = shmem_n_pes();
    for (int pe = 0; pe < n; pe++)
        world[pe] = pe;
    of_team(SHMEM_TEAM_WORLD, world, n);
    nested(world, n);
    round_ = 1000; /* some have split more often: the same round in all, again */
    int odd[MOST_PES];
    for (int start = 0; start < 2; start++) {
        int size = (n - start + 1) / 2;
        shmem_team_t team = split(SHMEM_TEAM_WORLD, world, start, 2, size, odd);
        if (team != SHMEM_TEAM_INVALID)
            of_team(team, odd, size);
        shmem_barrier_all();
        round_ = 2000;
        shmem_team_destroy(team);
    }
    config();
    impossible();
    return check_end();
}
