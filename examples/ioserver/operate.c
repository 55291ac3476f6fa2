/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * operate.c: see operate.h. The loops at the top are all that differs between the operations; they are written for
 * the compiler to vectorise: masks in the place of branches.
 *
 * An average needs no counts as long as each point has values in all steps or in none (land). Which ones those are
 * is seen in the first step, which is kept in `result` until the record is taken.
 */
#include "operate.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Bits, so that a fill value that is a NaN is found and other NaNs are values. */
static inline int is_missing(float value, uint32_t missing)
{
    return bits_of(value) == missing;
}

/* pick ? a : b, without a branch: the compiler does not take one for the other where the values have been computed. */
static inline float blend(bool pick, float a, float b)
{
    uint32_t mask = -(uint32_t)pick, bits = (bits_of(a) & mask) | (bits_of(b) & ~mask);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* What is missing adds -0, which changes no sum; +0 would change -0. */
static inline double to_add(float value, uint32_t missing)
{
    return blend(is_missing(value, missing), -0.0f, value);
}

static void begin_sum(size_t n, double *restrict sum, const float *restrict values, uint32_t missing)
{
    for (size_t i = 0; i < n; i++)
        sum[i] = to_add(values[i], missing);
}

static void add_to_sum(size_t n, double *restrict sum, const float *restrict values, uint32_t missing)
{
    for (size_t i = 0; i < n; i++)
        sum[i] += to_add(values[i], missing);
}

static void begin_count(size_t n, int *restrict count, const float *restrict values, uint32_t missing)
{
    for (size_t i = 0; i < n; i++)
        count[i] = !is_missing(values[i], missing);
}

static void add_to_count(size_t n, int *restrict count, const float *restrict values, uint32_t missing)
{
    for (size_t i = 0; i < n; i++)
        count[i] += !is_missing(values[i], missing);
}

/* Is a point missing in one of the steps and not in the other? */
static bool differ_in_missing(size_t n, const float *restrict a, const float *restrict b, uint32_t missing)
{
    uint32_t differ = 0;
    for (size_t i = 0; i < n; i++)
        differ |= is_missing(a[i], missing) ^ is_missing(b[i], missing);
    return differ;
}

/* result has the first step. */
static void mean_of_steps(size_t n, float *restrict result, const double *restrict sum, int steps,
                          uint32_t missing)
{
    for (size_t i = 0; i < n; i++) {
        float mean = (float)(sum[i] / steps);
        result[i] = blend(is_missing(result[i], missing), result[i], mean);
    }
}

static void mean_of_count(size_t n, float *restrict result, const double *restrict sum,
                          const int *restrict count, float missing)
{
    for (size_t i = 0; i < n; i++) {
        float mean = (float)(sum[i] / (count[i] + (count[i] == 0)));
        result[i] = blend(count[i] == 0, missing, mean);
    }
}

/* The lesser or the greater ones, of zeros the last, as CDO has it; a NaN is both, and stays. */
static inline void keep_extreme(size_t n, float *restrict result, const float *restrict values,
                                uint32_t missing, bool lesser)
{
    for (size_t i = 0; i < n; i++) {
        float old = result[i], value = values[i];
        int beyond = (lesser ? value <= old : value >= old) | (value != value);
        int keep = is_missing(value, missing) | !(is_missing(old, missing) | beyond);
        result[i] = blend(keep, old, value);
    }
}

static void keep_minimum(size_t n, float *restrict result, const float *restrict values, uint32_t missing)
{
    keep_extreme(n, result, values, missing, true);
}

static void keep_maximum(size_t n, float *restrict result, const float *restrict values, uint32_t missing)
{
    keep_extreme(n, result, values, missing, false);
}

int operate_init(struct operate *operate, enum operation operation, size_t size, float missing)
{
    *operate = (struct operate){.operation = operation, .size = size, .missing = missing};
    /* calloc notices when the bytes are more than a size_t holds. */
    operate->result = calloc(size + (size == 0), sizeof *operate->result);
    if (operation == AVERAGE)
        operate->sum = calloc(size + (size == 0), sizeof *operate->sum);
    if (operate->result && (operate->sum || operation != AVERAGE))
        return 0;
    operate_free(operate);
    return -1;
}

void operate_free(struct operate *operate)
{
    free(operate->sum);
    free(operate->num_values);
    free(operate->result);
    operate->sum = NULL;
    operate->num_values = NULL;
    operate->result = NULL;
}

/* Begin to count, as if it had been done since the first step. */
static int start_counting(struct operate *operate)
{
    operate->num_values = malloc(operate->size * sizeof *operate->num_values);
    if (!operate->num_values)
        return -1;
    begin_count(operate->size, operate->num_values, operate->result, bits_of(operate->missing));
    for (size_t i = 0; i < operate->size; i++)
        operate->num_values[i] *= operate->num_steps;
    return 0;
}

static int add_to_average(struct operate *operate, const float *values)
{
    size_t n = operate->size;
    uint32_t missing = bits_of(operate->missing);
    if (!operate->num_values && differ_in_missing(n, operate->result, values, missing) &&
        start_counting(operate) != 0)
        return -1;
    add_to_sum(n, operate->sum, values, missing);
    if (operate->num_values)
        add_to_count(n, operate->num_values, values, missing);
    return 0;
}

static void add_first(struct operate *operate, const float *values)
{
    uint32_t missing = bits_of(operate->missing);
    memcpy(operate->result, values, operate->size * sizeof *values);
    if (operate->operation == AVERAGE)
        begin_sum(operate->size, operate->sum, values, missing);
    if (operate->num_values)
        begin_count(operate->size, operate->num_values, values, missing);
}

int operate_add(struct operate *operate, const float *values)
{
    size_t n = operate->size;
    uint32_t missing = bits_of(operate->missing);
    if (operate->num_steps == 0)
        add_first(operate, values);
    else if (operate->operation == INSTANT)
        memcpy(operate->result, values, n * sizeof *values);
    else if (operate->operation == MINIMUM)
        keep_minimum(n, operate->result, values, missing);
    else if (operate->operation == MAXIMUM)
        keep_maximum(n, operate->result, values, missing);
    else if (add_to_average(operate, values) != 0)
        return -1;
    operate->num_steps++;
    return 0;
}

const float *operate_take(struct operate *operate)
{
    size_t n = operate->size;
    if (operate->num_steps == 0)
        for (size_t i = 0; i < n; i++)
            operate->result[i] = operate->missing;
    else if (operate->num_values)
        mean_of_count(n, operate->result, operate->sum, operate->num_values, operate->missing);
    else if (operate->operation == AVERAGE)
        mean_of_steps(n, operate->result, operate->sum, operate->num_steps, bits_of(operate->missing));
    operate->num_steps = 0;
    return operate->result;
}
