/* SPDX-License-Identifier: BSD-3-Clause */
/* test_reserve.c: how much the reserve gives, and when it becomes more. */
#include "base/arrived.h"

#include "unit.h"

static void *taken[3 * RESERVE_UNITS];

/* How many times so many bytes are there? */
static int take_all(size_t bytes, int first)
{
    int n = first;
    while (n < (int)(sizeof taken / sizeof taken[0]) && (taken[n] = reserve_take(bytes)))
        n++;
    return n - first;
}

static void put_back(int n)
{
    while (n-- > 0)
        reserve_free(taken[n]);
}

START_TEST(sizes)
{
    ck_assert_ptr_null(reserve_take(RESERVE_MOST + 1));
    ck_assert_ptr_null(reserve_take(SIZE_MAX));
    ck_assert_int_eq(take_all(0, 0), RESERVE_UNITS - RESERVE_LAST);
    for (int i = 0; i < RESERVE_LAST; i++)
        ck_assert_ptr_nonnull(taken[RESERVE_UNITS - RESERVE_LAST + i] = reserve_take_last(0));
    ck_assert_ptr_null(reserve_take_last(0));
    put_back(RESERVE_UNITS);
}
END_TEST

/* It grows when less than half of it is left, whatever the sizes of what was taken. */
START_TEST(renewed)
{
    for (int i = 0; i < RESERVE_UNITS / 2; i++)
        ck_assert_ptr_nonnull(taken[i] = reserve_take(0));
    reserve_renew();
    int n = RESERVE_UNITS / 2 + take_all(0, RESERVE_UNITS / 2);
    ck_assert_int_eq(n, RESERVE_UNITS - RESERVE_LAST);
    reserve_renew();
    n += take_all(1, n);
    ck_assert_int_eq(n, 2 * RESERVE_UNITS - RESERVE_LAST);
    put_back(n);
    reserve_renew();
    ck_assert_int_eq(take_all(0, 0), 2 * RESERVE_UNITS - RESERVE_LAST);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {sizes, renewed};
    return UNIT_MAIN("reserve", tests);
}
