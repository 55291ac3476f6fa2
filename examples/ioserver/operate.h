/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * operate.h: operations over time: the values of each step go in, one record comes out. Per grid point in the order
 * of the steps, so the same bits whoever does it and however the grid is divided. A point that is missing in a step
 * is left out of that step; one that is missing in all steps is missing in the record.
 */
#ifndef OPERATE_H
#define OPERATE_H

#include "iodef.h"

struct operate {
    enum operation operation;
    size_t size; /* grid points */
    float missing;
    int num_steps; /* since the last record */
    double *sum;   /* AVERAGE */
    int *
        num_values; /* AVERAGE, only once a point has been missing in some steps and not in others, else NULL */
    float *
        result; /* the record once it is taken; before, AVERAGE keeps the first step there, the others work in it */
};

/* 0, or -1 without memory. */
int operate_init(struct operate *operate, enum operation operation, size_t size, float missing);
void operate_free(struct operate *operate);
/* 0, or -1 without memory (then the step has not been taken in). */
int operate_add(struct operate *operate, const float *values);
/* The record of all steps since the last one; valid until the next operate_add. Without a step all is missing. */
const float *operate_take(struct operate *operate);

#endif
