/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory runs out while communicators are made: all have it, or nobody has. */
#include "trial.h"

#include <stdlib.h>

/* What was made works, and can be freed. */
static int at_end(struct trial *x, int rc, ep_comm *comm, int size)
{
    int got, one = 1, sum = 0;
    trial_quiet(x);
    if (rc != MPI_SUCCESS || *comm == EP_COMM_NULL)
        return rc;
    ep_comm_size(*comm, &got);
    wrong_if(x, size && got != size, "the new communicator has another size");
    wrong_if(x, ep_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, *comm) != MPI_SUCCESS || (size && sum != size),
             "the new communicator is of no use");
    wrong_if(x, ep_comm_free(comm) != MPI_SUCCESS, "the new communicator cannot be freed");
    return rc;
}

static int dup(struct trial *x)
{
    ep_comm c;
    int rc = MPI_SUCCESS;
    note(x, &rc, ep_comm_dup(x->comm, &c));
    return at_end(x, rc, &c, x->size);
}

static int idup(struct trial *x)
{
    ep_comm c;
    ep_request r;
    int rc = MPI_SUCCESS;
    note(x, &rc, ep_comm_idup(x->comm, &c, &r));
    if (rc == MPI_SUCCESS)
        note(x, &rc, ep_wait(&r, EP_STATUS_IGNORE));
    return at_end(x, rc, &c, x->size);
}

static int copy(ep_comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)key, (void)extra;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int forget(ep_comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    return MPI_SUCCESS;
}

/* With attributes that are copied. */
static int dup_attributes(struct trial *x)
{
    static char values[3];
    ep_comm c;
    int rc = MPI_SUCCESS, key[3], got;
    void *value;
    for (int i = 0; i < 3; i++) {
        key[i] = MPI_KEYVAL_INVALID;
        note(x, &rc, ep_comm_create_keyval(copy, forget, &key[i], NULL));
    }
    trial_quiet(x);
    for (int i = 0; i < 3; i++) {
        if (key[i] == MPI_KEYVAL_INVALID)
            ep_comm_create_keyval(copy, forget, &key[i], NULL);
        wrong_if(x, ep_comm_set_attr(x->comm, key[i], &values[i]) != MPI_SUCCESS, "no attribute");
    }
    trial_arm(x);
    rc = MPI_SUCCESS;
    note(x, &rc, ep_comm_dup(x->comm, &c));
    for (int i = 0; i < 3 && rc == MPI_SUCCESS; i++) {
        wrong_if(x, ep_comm_get_attr(c, key[i], &value, &got) != MPI_SUCCESS || !got || value != &values[i],
                 "an attribute was not copied");
    }
    rc = at_end(x, rc, &c, x->size);
    for (int i = 0; i < 3; i++) {
        ep_comm_delete_attr(x->comm, key[i]);
        ep_comm_free_keyval(&key[i]);
    }
    return rc;
}

static int split(struct trial *x)
{
    ep_comm c;
    int rc = MPI_SUCCESS;
    note(x, &rc, ep_comm_split(x->comm, x->rank % 2, -x->rank, &c));
    return at_end(x, rc, &c, (x->size + 1 - x->rank % 2) / 2);
}

static int split_type(struct trial *x)
{
    ep_comm c;
    int rc = MPI_SUCCESS;
    note(x, &rc, ep_comm_split_type(x->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &c));
    return at_end(x, rc, &c, 0);
}

/* The ranks but the second, from the last on. Made with memory. */
static ep_group most(struct trial *x)
{
    ep_group all = EP_GROUP_NULL, some = EP_GROUP_NULL;
    int *ranks = xmalloc((size_t)x->size * sizeof *ranks), n = 0;
    for (int r = x->size - 1; r >= 0; r--)
        if (r != 1)
            ranks[n++] = r;
    wrong_if(x, ep_comm_group(x->comm, &all) || ep_group_incl(all, n, ranks, &some), "no group");
    free(ranks);
    ep_group_free(&all);
    return some;
}

static int create(struct trial *x)
{
    ep_comm c;
    int rc = MPI_SUCCESS;
    trial_quiet(x);
    ep_group some = most(x);
    trial_arm(x);
    note(x, &rc, ep_comm_create(x->comm, some, &c));
    rc = at_end(x, rc, &c, x->size - 1);
    ep_group_free(&some);
    return rc;
}

static int create_group(struct trial *x)
{
    ep_comm c = EP_COMM_NULL;
    int rc = MPI_SUCCESS;
    trial_quiet(x);
    ep_group some = most(x);
    trial_arm(x);
    if (x->rank != 1)
        note(x, &rc, ep_comm_create_group(x->comm, some, 3, &c));
    rc = at_end(x, rc, &c, x->size - 1);
    ep_group_free(&some);
    return rc;
}

/* Odd and even ranks. */
static int intercomm(struct trial *x, bool merges)
{
    ep_comm half, both, one = EP_COMM_NULL;
    int rc = MPI_SUCCESS, odd = x->rank % 2;
    trial_quiet(x);
    wrong_if(x, ep_comm_split(x->comm, odd, x->rank, &half) != MPI_SUCCESS, "no half");
    if (!merges)
        trial_arm(x);
    note(x, &rc, ep_intercomm_create(half, 0, x->comm, !odd, 5, &both));
    if (merges) {
        trial_arm(x);
        note(x, &rc, ep_intercomm_merge(both, odd, &one));
    }
    rc = at_end(x, rc, &one, x->size);
    if (merges || rc == MPI_SUCCESS)
        wrong_if(x, ep_barrier(both) != MPI_SUCCESS || ep_comm_free(&both) != MPI_SUCCESS,
                 "the intercommunicator is of no use");
    wrong_if(x, ep_comm_free(&half) != MPI_SUCCESS, "a half cannot be freed");
    return rc;
}

static int intercomm_create(struct trial *x)
{
    return intercomm(x, false);
}

static int intercomm_merge(struct trial *x)
{
    return intercomm(x, true);
}

static int cart(struct trial *x)
{
    ep_comm c;
    int rc = MPI_SUCCESS, dims[2] = {x->size / 2, 2}, periods[2] = {1, 0};
    note(x, &rc, ep_cart_create(x->comm, 2, dims, periods, 1, &c));
    return at_end(x, rc, &c, x->size);
}

static int cart_sub(struct trial *x)
{
    ep_comm c, line;
    int rc = MPI_SUCCESS, dims[2] = {x->size / 2, 2}, periods[2] = {1, 0}, remain[2] = {1, 0};
    trial_quiet(x);
    wrong_if(x, ep_cart_create(x->comm, 2, dims, periods, 0, &c) != MPI_SUCCESS, "no grid");
    ep_comm_set_errhandler(c, EP_ERRORS_RETURN);
    trial_arm(x);
    note(x, &rc, ep_cart_sub(c, remain, &line));
    rc = at_end(x, rc, &line, x->size / 2);
    ep_comm_free(&c);
    return rc;
}

static int graph(struct trial *x)
{
    ep_comm c;
    int rc = MPI_SUCCESS, index[64], edges[64];
    for (int r = 0; r < x->size; r++) {
        index[r] = r + 1;
        edges[r] = (r + 1) % x->size;
    }
    note(x, &rc, ep_graph_create(x->comm, x->size, index, edges, 1, &c));
    return at_end(x, rc, &c, x->size);
}

static int dist_graph(struct trial *x)
{
    ep_comm c;
    int rc = MPI_SUCCESS, one = 1, to = (x->rank + 1) % x->size;
    note(x, &rc, ep_dist_graph_create(x->comm, 1, &x->rank, &one, &to, MPI_UNWEIGHTED, MPI_INFO_NULL, 1, &c));
    return at_end(x, rc, &c, x->size);
}

static int dist_graph_adjacent(struct trial *x)
{
    ep_comm c;
    int rc = MPI_SUCCESS, to = (x->rank + 1) % x->size, from = (x->rank + x->size - 1) % x->size;
    note(x, &rc,
         ep_dist_graph_create_adjacent(x->comm, 1, &from, MPI_UNWEIGHTED, 1, &to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &c));
    return at_end(x, rc, &c, x->size);
}

/* One more set of endpoints, by the first thread of each process. */
static int endpoints(struct trial *x)
{
    static int made;
    ep_comm more[2];
    team_t *t = x->team;
    if (t->index == 0) {
        made = ep_comm_create_endpoints(MPI_COMM_WORLD, 2, MPI_INFO_NULL, more);
        inject_disarm();
        for (int i = 0; i < 2 && made == MPI_SUCCESS; i++)
            wrong_if(x, ep_comm_free(&more[i]) != MPI_SUCCESS, "an endpoint cannot be freed");
    }
#pragma omp barrier
    int rc = made;
#pragma omp barrier
    return rc;
}

static int add_up(ep_mpi_comm mpi_comm, int num_args, void *const args[])
{
    int sum = 0, processes = 0;
    for (int i = 0; i < num_args; i++)
        sum += *(int *)args[i];
    MPI_Comm_size(mpi_comm, &processes);
    return processes > 0 ? sum : -1;
}

/* A call needs no memory beyond what is put aside. */
static int funnel(struct trial *x)
{
    ep_funnel f;
    int rc = MPI_SUCCESS, one = 1, sum = 0;
    note(x, &rc, ep_funnel_create(x->comm, &f));
    if (rc != MPI_SUCCESS) {
        wrong_if(x, f != EP_FUNNEL_NULL, "there is a funnel");
        return rc;
    }
    wrong_if(x, ep_funnel_call(f, add_up, &one, &sum) != MPI_SUCCESS || sum != x->team->local,
             "the funnel is of no use");
    wrong_if(x, ep_funnel_free(&f) != MPI_SUCCESS, "the funnel cannot be freed");
    return rc;
}

static const struct scenario list[] = {
    {.name = "endpoints", .run = endpoints, .agrees = true},
    {.name = "dup", .run = dup, .agrees = true},
    {.name = "idup", .run = idup, .agrees = true},
    {.name = "dup with attributes", .run = dup_attributes, .agrees = true},
    {.name = "split", .run = split, .agrees = true},
    {.name = "split type", .run = split_type, .agrees = true},
    {.name = "create", .run = create, .agrees = true},
    {.name = "create group", .run = create_group},
    {.name = "intercomm create", .run = intercomm_create, .agrees = true},
    {.name = "intercomm merge", .run = intercomm_merge, .agrees = true},
    {.name = "cart", .run = cart, .agrees = true},
    {.name = "cart sub", .run = cart_sub, .agrees = true},
    {.name = "graph", .run = graph, .agrees = true},
    {.name = "dist graph", .run = dist_graph, .agrees = true},
    {.name = "dist graph adjacent", .run = dist_graph_adjacent, .agrees = true},
    {.name = "funnel", .run = funnel, .agrees = true},
};

static void all(void)
{
    EXPECT_OK(
        ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN)); /* for what belongs to no communicator */
    TRIALS(list);
}

static const harness_test tests[] = {{"communicators", NULL, all}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "alloc communicators", tests);
}
