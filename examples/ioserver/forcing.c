/* SPDX-License-Identifier: BSD-3-Clause */
/* forcing.c: the climate's year: surface and winds between the middles of months. */
#include "model_private.h"

#include <math.h>

/* Between the values of two months; what is missing in one of them is taken to be as in the other. */
static double between(float a, float b, double weight, float missing)
{
    if (a == missing || b == missing)
        return a == missing ? b : a;
    return (1 - weight) * a + weight * b;
}

static void set_field(const struct model *model, const float *months, double month, double *values)
{
    size_t size = block_size(model->block, 1);
    int before = ((int)floor(month) + MONTHS) % MONTHS;
    const float *a = months + size * before, *b = months + size * ((before + 1) % MONTHS);
    for (size_t i = 0; i < size; i++)
        values[i] = between(a[i], b[i], month - floor(month), model->job->grid.missing);
}

void forcing_at(struct model *model, int step)
{
    const struct iodef *iodef = model->job->iodef;
    double days = (step - 0.5) * iodef->timestep / 86400 + iodef->start_day - 1;
    double month = iodef->start_month - 1 + days / 30 - 0.5;
    size_t size = block_size(model->block, 1);
    float missing = model->job->grid.missing;
    month = fmod(month + MONTHS, MONTHS); /* 0: the middle of January */
    set_field(model, model->forcing.sst, month, model->sst);
    set_field(model, model->forcing.u_wind, month, model->u_wind);
    set_field(model, model->forcing.v_wind, month, model->v_wind);
    for (size_t i = 0; i < size; i++) {
        model->u_wind[i] = model->u_wind[i] == missing ? 0 : model->u_wind[i];
        model->v_wind[i] = model->v_wind[i] == missing ? 0 : model->v_wind[i];
        model->wind_speed[i] =
            sqrt(model->u_wind[i] * model->u_wind[i] + model->v_wind[i] * model->v_wind[i]);
    }
}
