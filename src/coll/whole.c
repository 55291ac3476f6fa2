/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of a whole communicator that are not done here, as operations that do nothing but compare (derive/compare.h). */
#include "derive/derive.h"

#include "coll/op.h"

/* One that does not block. */
struct comparison {
    struct coll_args args;
    whole_compared *then;
    void *arg;
};

static struct coll_args args_of(ep_comm view, const char *name)
{
    return (struct coll_args){.view = view, .call = {.name = name, .kind = COLL_NOTHING}};
}

int whole_compare(ep_comm view, unsigned number, const char *name, char **why)
{
    struct coll_args p = args_of(view, name);
    int rc = args_run(&p, number);
    *why = p.why;
    return rc;
}

static void whole_over(struct coll_args *p)
{
    struct comparison *c = container_of(p, struct comparison, args);
    c->then(c->arg, load_relaxed(&p->rc), p->why);
    reserve_free(c);
}

bool whole_compare_later(ep_comm view, unsigned number, const char *name, whole_compared *then, void *arg)
{
    struct comparison *c = reserve_calloc(sizeof *c);
    if (!c)
        return false;
    *c = (struct comparison){args_of(view, name), then, arg};
    c->args.over = whole_over;
    coll_args_join(&c->args, number);
    return true;
}
