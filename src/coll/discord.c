/* SPDX-License-Identifier: BSD-3-Clause */
/* The endpoints of this process called collective functions of different kinds: nothing can be done for them together, and no
 * algorithm may look for what only another kind of call brings. */
#include <stdio.h>
#include <string.h>

#include "coll/algorithms.h"

static const struct coll_args *discord_other_args(const struct op *o, const struct coll_args *of)
{
    int i = 0;
    while (o->args[i]->call.kind == of->call.kind)
        i++;
    return o->args[i];
}

static bool discord_advance(struct op *o)
{
    op_fail(o, MPI_ERR_ARG);
    for (int i = 0; i < o->n; i++) {
        const struct coll_args *other = discord_other_args(o, o->args[i]);
        char why[100];
        snprintf(why, sizeof why, "endpoint %d called %s meanwhile", other->view->rank, other->call.name);
        o->args[i]->why = strdup(why);
    }
    return false;
}

const struct coll_algorithm algorithm_discord = {.name = "discord", .advance = discord_advance};
