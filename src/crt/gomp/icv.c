/* SPDX-License-Identifier: BSD-3-Clause */
/* What sets control variables of the running task. The Fortran names take pointers; _8_ are for 8-byte integers. */
#include "crt/gomp/real.h"
#include "crt/team/icv.h"

void omp_set_num_threads(int n)
{
    icv_before();
    real_function()->omp_set_num_threads(n);
    icv_after();
}

void omp_set_dynamic(int on)
{
    icv_before();
    real_function()->omp_set_dynamic(on);
    icv_after();
}

void omp_set_nested(int on)
{
    icv_before();
    real_function()->omp_set_nested(on);
    icv_after();
}

void omp_set_schedule(int kind, int chunk)
{
    icv_before();
    real_function()->omp_set_schedule(kind, chunk);
    icv_after();
}

void omp_set_max_active_levels(int n)
{
    icv_before();
    real_function()->omp_set_max_active_levels(n);
    icv_after();
}

void omp_set_default_device(int device)
{
    icv_before();
    real_function()->omp_set_default_device(device);
    icv_after();
}

/* As libgomp does with what does not fit into an int. */
static int gomp_icv_clamp(int64_t n)
{
    return n > INT32_MAX ? INT32_MAX : n < INT32_MIN ? INT32_MIN : (int)n;
}

void omp_set_num_threads_(const int32_t *n)
{
    omp_set_num_threads(*n);
}

void omp_set_num_threads_8_(const int64_t *n)
{
    omp_set_num_threads(gomp_icv_clamp(*n));
}

void omp_set_dynamic_(const int32_t *on)
{
    omp_set_dynamic(*on);
}

void omp_set_dynamic_8_(const int64_t *on)
{
    omp_set_dynamic(*on != 0);
}

void omp_set_nested_(const int32_t *on)
{
    omp_set_nested(*on);
}

void omp_set_nested_8_(const int64_t *on)
{
    omp_set_nested(*on != 0);
}

void omp_set_schedule_(const int32_t *kind, const int32_t *chunk)
{
    omp_set_schedule(*kind, *chunk);
}

void omp_set_schedule_8_(const int32_t *kind, const int64_t *chunk)
{
    omp_set_schedule(*kind, gomp_icv_clamp(*chunk));
}

void omp_set_max_active_levels_(const int32_t *n)
{
    omp_set_max_active_levels(*n);
}

void omp_set_max_active_levels_8_(const int64_t *n)
{
    omp_set_max_active_levels(gomp_icv_clamp(*n));
}

void omp_set_default_device_(const int32_t *device)
{
    omp_set_default_device(*device);
}

void omp_set_default_device_8_(const int64_t *device)
{
    omp_set_default_device(gomp_icv_clamp(*device));
}
