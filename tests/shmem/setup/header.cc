// SPDX-License-Identifier: BSD-3-Clause
// The header in C++, by its older name too: functions with types are called as in C.
#include <mpp/shmem.h>

#include "check.h"

static double d;
static long l;
static std::size_t s;

int main()
{
    shmem_init();
    shmem_double_p(&d, shmem_my_pe() + 0.5, right_of(1));
    shmem_size_p(&s, static_cast<std::size_t>(shmem_my_pe()), right_of(1));
    shmem_ctx_long_atomic_add(SHMEM_CTX_DEFAULT, &l, 3, right_of(1));
    shmem_barrier_all();
    CHECK(d == left_of(1) + 0.5 && l == 3 && s == static_cast<std::size_t>(left_of(1)));
    CHECK(shmem_team_sync(SHMEM_TEAM_WORLD) == 0);
    shmem_team_t team = SHMEM_TEAM_WORLD;
    shmem_ctx_t ctx = SHMEM_CTX_INVALID;
    CHECK(shmem_team_create_ctx(team, 0, &ctx) == 0);
    shmem_ctx_destroy(ctx);
    return check_end();
}
