/* SPDX-License-Identifier: BSD-3-Clause */
/* test_operate.c: operations against doing them point by point, where values are missing in all ways. */
#include "operate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

enum { MOST_POINTS = 1000, MOST_STEPS = 9, ROUNDS = 3, RECORDS = 3 };
enum pattern { NEVER, ALWAYS, LAND, SOMETIMES, FIRST, LAST, NUM_PATTERNS };

static const int sizes[] = {0, 1, 7, MOST_POINTS};
static float steps[MOST_STEPS][MOST_POINTS];

static bool is_same(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static bool is_land(int point)
{
    return point % 3 == 1;
}

static bool is_missing_at(enum pattern pattern, int point, int step, int num_steps)
{
    bool is_first = step == 0, is_last = step == num_steps - 1;
    return pattern == ALWAYS || (pattern == LAND && is_land(point)) || (pattern == SOMETIMES && below(2)) ||
           (pattern == FIRST && is_first && is_land(point)) || (pattern == LAST && is_last && is_land(point));
}

/* Zeros of both signs and, rarely, NaN and infinities among the values. */
static float random_value(void)
{
    switch (below(40)) {
    case 0:
        return below(5) ? 0.0f : NAN;
    case 1:
        return -0.0f;
    case 2:
        return below(5) ? 1e-40f : -INFINITY;
    case 3:
        return below(5) ? 3e38f : INFINITY;
    default:
        return (float)(below(2000001) - 1000000) / 7 * powf(10, (float)below(5));
    }
}

/* A value that happens to be the fill value is missing, and not by the pattern. */
static float random_present(float missing)
{
    float value = random_value();
    return is_same(value, missing) ? 1 : value;
}

static void draw_steps(enum pattern pattern, int size, int num_steps, float missing)
{
    for (int s = 0; s < num_steps; s++)
        for (int i = 0; i < size; i++)
            steps[s][i] = is_missing_at(pattern, i, s, num_steps) ? missing : random_present(missing);
}

/* One point: only steps with values count, a NaN among them wins. */
static float expected_at(enum operation operation, int point, int num_steps, float missing)
{
    double sum = 0;
    float result = missing;
    int count = 0;
    for (int s = 0; s < num_steps; s++) {
        float value = steps[s][point];
        if (operation == INSTANT)
            result = value;
        if (is_same(value, missing))
            continue;
        sum = count == 0 ? value : sum + value;
        if (operation == MINIMUM && (count == 0 || value <= result || isnan(value)))
            result = value;
        if (operation == MAXIMUM && (count == 0 || value >= result || isnan(value)))
            result = value;
        count++;
    }
    return operation == AVERAGE && count > 0 ? (float)(sum / count) : result;
}

/* Which NaN comes of two is the processor's choice, but it is not the fill value. */
static bool is_right(float value, float want, float missing)
{
    bool both_nan = isnan(value) && isnan(want) && !is_same(value, missing) && !is_same(want, missing);
    return is_same(value, want) || both_nan;
}

static void check_record(const float *record, enum operation operation, int size, int num_steps,
                         float missing)
{
    for (int i = 0; i < size; i++) {
        float want = expected_at(operation, i, num_steps, missing);
        ck_assert_msg(is_right(record[i], want, missing), "%s: point %d of %d after %d steps is %a, not %a",
                      operation_cell_method(operation), i, size, num_steps, record[i], want);
    }
}

/* Several records of one pattern each, in one struct operate. */
static void operate_on(enum operation operation, enum pattern pattern, int size, float missing)
{
    struct operate operate;
    ck_assert_int_eq(operate_init(&operate, operation, (size_t)size, missing), 0);
    for (int r = 0; r < RECORDS; r++) {
        int num_steps = 1 + below(MOST_STEPS);
        draw_steps(pattern, size, num_steps, missing);
        for (int s = 0; s < num_steps; s++)
            ck_assert_int_eq(operate_add(&operate, steps[s]), 0);
        check_record(operate_take(&operate), operation, size, num_steps, missing);
        if (operation != AVERAGE || pattern == NEVER || pattern == ALWAYS || pattern == LAND)
            ck_assert_ptr_null(operate.num_values);
    }
    operate_free(&operate);
}

START_TEST(as_one_by_one)
{
    uint32_t other_nan = 0x7fc01234;
    float fills[] = {1e20f, -9, 0};
    memcpy(&fills[2], &other_nan, sizeof fills[2]);
    for (int round = 0; round < ROUNDS; round++)
        for (int f = 0; f < 2 + (round == 0); f++)
            for (int o = INSTANT; o <= MAXIMUM; o++)
                for (int p = 0; p < NUM_PATTERNS; p++)
                    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
                        operate_on(o, p, sizes[s], fills[f]);
}
END_TEST

/* Patterns that follow each other: what was counted is not counted in the next record. */
START_TEST(changing_patterns)
{
    struct operate operate;
    const int size = MOST_POINTS;
    ck_assert_int_eq(operate_init(&operate, AVERAGE, (size_t)size, 1e20f), 0);
    for (int r = 0; r < 30; r++) {
        int num_steps = 1 + below(MOST_STEPS);
        draw_steps(below(NUM_PATTERNS), size, num_steps, 1e20f);
        for (int s = 0; s < num_steps; s++)
            ck_assert_int_eq(operate_add(&operate, steps[s]), 0);
        check_record(operate_take(&operate), AVERAGE, size, num_steps, 1e20f);
    }
    operate_free(&operate);
}
END_TEST

/* Sums beyond what a float holds, and those that would be the fill value. */
START_TEST(exact)
{
    struct operate operate;
    const float first[] = {16777216, -4, -0.0f, -9}, second[] = {1, -5, -9, -9}, third[] = {1, -9, -9, -9};
    const float want[] = {(float)(16777218 / 3.0), -4.5f, -0.0f, -9};
    ck_assert_int_eq(operate_init(&operate, AVERAGE, 4, -9), 0);
    ck_assert_int_eq(
        operate_add(&operate, first) | operate_add(&operate, second) | operate_add(&operate, third), 0);
    ck_assert_mem_eq(operate_take(&operate), want, sizeof want);
    ck_assert(operate_take(&operate)[0] == -9); /* of no step */
    operate_free(&operate);
}
END_TEST

static int add_without_memory(struct operate *operate, const float *values)
{
    fail_allocation(0);
    int status = operate_add(operate, values);
    fail_allocation(-1);
    return status;
}

/* A step that could not be taken in has changed nothing, and can be taken in again. */
START_TEST(without_memory)
{
    struct operate operate;
    for (int n = 0; n < 2; n++) {
        fail_allocation(n);
        int status = operate_init(&operate, AVERAGE, 10, 0);
        fail_allocation(-1);
        ck_assert_int_eq(status, -1);
    }
    ck_assert_int_eq(operate_init(&operate, AVERAGE, MOST_POINTS, 1e20f), 0);
    draw_steps(LAST, MOST_POINTS, 3, 1e20f);
    ck_assert_int_eq(add_without_memory(&operate, steps[0]), 0);
    ck_assert_int_eq(add_without_memory(&operate, steps[1]), 0);
    ck_assert_int_eq(add_without_memory(&operate, steps[2]), -1);
    check_record(operate_take(&operate), AVERAGE, MOST_POINTS, 2, 1e20f);
    ck_assert_int_eq(operate_add(&operate, steps[1]), 0);
    ck_assert_int_eq(add_without_memory(&operate, steps[2]), -1);
    ck_assert_int_eq(operate_add(&operate, steps[2]), 0);
    memcpy(steps[0], steps[1], sizeof steps[0]);
    memcpy(steps[1], steps[2], sizeof steps[1]);
    check_record(operate_take(&operate), AVERAGE, MOST_POINTS, 2, 1e20f);
    operate_free(&operate);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {as_one_by_one, changing_patterns, exact, without_memory};
    return UNIT_MAIN("operate", tests);
}
