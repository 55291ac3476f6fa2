/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks as gfortran calls them: its variables may be smaller than C's, ours fit into both (gomp_lock.c). */
#include "crt/gomp/real.h"
#include "crt/mode.h"

void omp_init_lock_(void *lock)
{
    if (mode_is_task())
        omp_init_lock(lock);
    else
        real_function()->omp_init_lock_(lock);
}

void omp_destroy_lock_(void *lock)
{
    if (mode_is_task())
        omp_destroy_lock(lock);
    else
        real_function()->omp_destroy_lock_(lock);
}

void omp_set_lock_(void *lock)
{
    if (mode_is_task())
        omp_set_lock(lock);
    else
        real_function()->omp_set_lock_(lock);
}

void omp_unset_lock_(void *lock)
{
    if (mode_is_task())
        omp_unset_lock(lock);
    else
        real_function()->omp_unset_lock_(lock);
}

int omp_test_lock_(void *lock)
{
    return mode_is_task() ? omp_test_lock(lock) : real_function()->omp_test_lock_(lock);
}

void omp_init_nest_lock_(void *lock)
{
    if (mode_is_task())
        omp_init_nest_lock(lock);
    else
        real_function()->omp_init_nest_lock_(lock);
}

void omp_destroy_nest_lock_(void *lock)
{
    if (mode_is_task())
        omp_destroy_nest_lock(lock);
    else
        real_function()->omp_destroy_nest_lock_(lock);
}

void omp_set_nest_lock_(void *lock)
{
    if (mode_is_task())
        omp_set_nest_lock(lock);
    else
        real_function()->omp_set_nest_lock_(lock);
}

void omp_unset_nest_lock_(void *lock)
{
    if (mode_is_task())
        omp_unset_nest_lock(lock);
    else
        real_function()->omp_unset_nest_lock_(lock);
}

int omp_test_nest_lock_(void *lock)
{
    return mode_is_task() ? omp_test_nest_lock(lock) : real_function()->omp_test_nest_lock_(lock);
}
