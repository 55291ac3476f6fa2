/* SPDX-License-Identifier: BSD-3-Clause */
/* test_rank.c: what a rank has for its end is run once, by eprun's word, unless the rank is inside MPI. */
#include <stdlib.h>

#include "dropin/rank.h"
#include "unit.h"

static int runs;

static void count(void *arg)
{
    runs += *(const int *)arg;
}

START_TEST(at_exit)
{
    int one = 1, ten = 10;
    struct mpi_rank *rank = ep_rank_new(NULL);
    ck_assert_ptr_nonnull(rank);
    ep_rank_exits(rank);
    ep_rank_at_exit(rank, count, &one);
    ep_rank_at_exit(rank, count, &ten);
    ep_rank_exits(rank);
    ep_rank_exits(rank);
    ck_assert_int_eq(runs, 10);
    ep_rank_at_exit(rank, count, &one);
    ep_rank_at_exit(rank, NULL, NULL);
    ep_rank_exits(rank);
    ck_assert_int_eq(runs, 10);
    store_release(&rank->phase, INSIDE);
    ep_rank_at_exit(rank, count, &one);
    ep_rank_exits(rank);
    ck_assert_int_eq(runs, 10);
    ck_assert_ptr_null(ep_rank_data(rank));
    free(rank);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {at_exit};
    return UNIT_MAIN("rank", tests);
}
