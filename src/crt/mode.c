/* SPDX-License-Identifier: BSD-3-Clause */
/* Who a blocking call blocks: OMP_EXTERNAL, omp_set_external. */
#include <crt.h>
#include <stdlib.h>
#include <strings.h>

#include "base/base.h"
#include "crt/mode.h"

static const struct {
    const char *name;
    omp_external_t level;
} names[] = {{"master", omp_external_master}, {"thread", omp_external_thread}};

static _Atomic int level = omp_external_thread;
static _Atomic bool fixed;

/* A level that is not in the table is not supported and has no effect. */
static void set_level(omp_external_t wanted)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].level == wanted)
            store_relaxed(&level, (int)wanted);
}

__attribute__((constructor)) static void mode_start(void)
{
    const char *text = getenv("OMP_EXTERNAL");
    for (size_t i = 0; text && i < sizeof names / sizeof *names; i++)
        if (strcasecmp(names[i].name, text) == 0)
            set_level(names[i].level);
}

void omp_set_external(omp_external_t wanted)
{
    if (!load_relaxed(&fixed))
        set_level(wanted);
}

omp_external_t omp_get_external(void)
{
    return (omp_external_t)load_relaxed(&level);
}

void mode_fix(void)
{
    store_relaxed(&fixed, true);
}
