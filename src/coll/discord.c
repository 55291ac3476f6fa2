/* SPDX-License-Identifier: BSD-3-Clause */
/* The endpoints of this process called collective functions of different kinds: nothing can be done for them together, and no
 * plan may look for what only another kind of call brings. */
#include <stdio.h>
#include <string.h>

#include "coll/plans.h"

static const struct part *opponent(const struct op *o, const struct part *of)
{
    int i = 0;
    while (o->part[i]->call.kind == of->call.kind)
        i++;
    return o->part[i];
}

static bool advance(struct op *o)
{
    op_fail(o, MPI_ERR_ARG);
    for (int i = 0; i < o->n; i++) {
        const struct part *other = opponent(o, o->part[i]);
        char why[100];
        snprintf(why, sizeof why, "endpoint %d called %s meanwhile", other->view->rank, other->call.name);
        o->part[i]->why = strdup(why);
    }
    return false;
}

const struct plan plan_discord = {.name = "discord", .advance = advance};
