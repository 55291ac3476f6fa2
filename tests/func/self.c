/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * self.c: EP_COMM_SELF as a parent.
 *
 * Catches: an endpoint that meets another's call on its own EP_COMM_SELF, communicators of one endpoint that cannot be
 * joined, attributes that are deleted too early, twice or never.
 */
#include "traffic.h"

static int bind_self(team_t *t)
{
    return EXPECT_OK(ep_thread_bind(t->comm)) &&
           EXPECT_OK(ep_comm_set_errhandler(EP_COMM_SELF, EP_ERRORS_RETURN));
}

/* A good communicator of the caller alone; it is freed. */
static void expect_alone(team_t *t, ep_comm c)
{
    if (expect_members(t, c, &t->rank, 1, NULL, 0))
        traffic(t, c, &t->rank, TRAFFIC_LONG);
    EXPECT_OK(ep_comm_free(&c));
}

/* Each endpoint does it as often as it likes: nobody waits for another. */
static void children(team_t *t, void *arg)
{
    (void)arg;
    if (!bind_self(t))
        return;
    for (int i = 0; i <= t->rank; i++) {
        ep_comm c = EP_COMM_NULL;
        ep_group g = EP_GROUP_NULL;
        ep_request r = EP_REQUEST_NULL;
        if (EXPECT_OK(ep_comm_dup(EP_COMM_SELF, &c)))
            expect_alone(t, c);
        if (EXPECT_OK(ep_comm_idup(EP_COMM_SELF, &c, &r)) && EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE)))
            expect_alone(t, c);
        if (EXPECT_OK(ep_comm_split(EP_COMM_SELF, t->rank, -i, &c)))
            expect_alone(t, c);
        if (EXPECT_OK(ep_comm_split(EP_COMM_SELF, MPI_UNDEFINED, 0, &c)))
            EXPECT(c == EP_COMM_NULL);
        if (EXPECT_OK(ep_comm_split_type(EP_COMM_SELF, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &c)))
            expect_alone(t, c);
        EXPECT_OK(ep_comm_group(EP_COMM_SELF, &g));
        if (EXPECT_OK(ep_comm_create(EP_COMM_SELF, g, &c)))
            expect_alone(t, c);
        if (EXPECT_OK(ep_comm_create_group(EP_COMM_SELF, g, i, &c)))
            expect_alone(t, c);
        EXPECT_OK(ep_group_free(&g));
        EXPECT_RC(ep_comm_split(EP_COMM_SELF, -2, 0, &c), MPI_ERR_ARG);
    }
    team_barrier(t);
    EXPECT_OK(ep_thread_bind(EP_COMM_NULL));
}

/* Two endpoints, each alone in its group, over the world; then merged. */
static void join(team_t *t, ep_comm local, int partner)
{
    ep_comm inter = EP_COMM_NULL, merged = EP_COMM_NULL;
    int low = t->rank < partner, both[2] = {low ? t->rank : partner, low ? partner : t->rank};
    if (!EXPECT_OK(ep_intercomm_create(local, 0, EP_COMM_WORLD, partner, 9, &inter)))
        return;
    if (expect_members(t, inter, &t->rank, 1, &partner, 1))
        traffic(t, inter, &partner, TRAFFIC_LONG);
    if (EXPECT_OK(ep_intercomm_merge(inter, !low, &merged))) {
        EXPECT_OK(ep_comm_free(&inter));
        if (expect_members(t, merged, both, 2, NULL, 0))
            traffic(t, merged, both, TRAFFIC_LONG);
        EXPECT_OK(ep_comm_free(&merged));
    }
}

/* Each rank with each other, in rounds of a tournament, so near and far; some rest in a round. */
static void joined(team_t *t, void *arg)
{
    int n = t->size + t->size % 2;
    ep_comm own = EP_COMM_NULL;
    (void)arg;
    if (!bind_self(t) || !EXPECT_OK(ep_comm_dup(EP_COMM_SELF, &own)))
        return;
    for (int round = 0; round < n - 1; round++) {
        int partner = t->rank == n - 1 ? -1 : (2 * n - 2 + round - t->rank) % (n - 1);
        if (partner == t->rank)
            partner = n - 1;
        for (int r = 0; r < n - 1 && t->rank == n - 1; r++)
            if ((2 * n - 2 + round - r) % (n - 1) == r)
                partner = r;
        if (partner < t->size)
            join(t, round % 2 ? own : EP_COMM_SELF, partner);
    }
    EXPECT_OK(ep_comm_free(&own));
    team_barrier(t);
    EXPECT_OK(ep_thread_bind(EP_COMM_NULL));
}

/* ---- Attributes ---- */

static int count_delete(ep_comm comm, int key, void *value, void *extra)
{
    (void)comm;
    (void)key;
    (void)extra;
    ++*(int *)value;
    return MPI_SUCCESS;
}

/* They go with the last communicator of the endpoint, which need not be the world; copies with their communicator. */
static void attributes(team_t *t, void *arg)
{
    int key = MPI_KEYVAL_INVALID, deleted = 0;
    ep_comm last = EP_COMM_NULL, copy = EP_COMM_NULL;
    (void)arg;
    if (!bind_self(t))
        return;
    EXPECT_OK(ep_comm_create_keyval(EP_COMM_DUP_FN, count_delete, &key, NULL));
    EXPECT_OK(ep_comm_set_attr(EP_COMM_SELF, key, &deleted));
    EXPECT_OK(ep_comm_dup(t->comm, &last));
    EXPECT_OK(ep_comm_dup(EP_COMM_SELF, &copy));
    EXPECT_EQ(deleted, 0);
    EXPECT_OK(ep_comm_free(&copy));
    EXPECT_EQ(deleted, 1);
    team_barrier(t);
    EXPECT_OK(ep_comm_free(&t->comm));
    EXPECT_EQ(deleted, 1);
    EXPECT_OK(ep_comm_free(&last));
    EXPECT_EQ(deleted, 2);
    EXPECT_OK(ep_comm_free_keyval(&key));
}

/* An endpoint frees its last communicator while another is in the making: the EP_COMM_SELF that it has then is a new
 * one. The first of each process goes on in the meantime. */
static void born_again(team_t *t, void *arg)
{
    int key = MPI_KEYVAL_INVALID, deleted = 0, flag = 1;
    void *value = NULL;
    ep_comm next = EP_COMM_NULL, copy = EP_COMM_NULL;
    ep_request r = EP_REQUEST_NULL;
    (void)arg;
    if (!bind_self(t))
        return;
    EXPECT_OK(ep_comm_create_keyval(EP_COMM_NULL_COPY_FN, count_delete, &key, NULL));
    EXPECT_OK(ep_comm_set_attr(EP_COMM_SELF, key, &deleted));
    if (t->index > 0) {
        EXPECT_OK(ep_comm_idup(t->comm, &next, &r));
        EXPECT_OK(ep_comm_free(&t->comm));
        EXPECT_EQ(deleted, 1);
    }
    team_barrier(t);
    if (t->index == 0)
        EXPECT_OK(ep_comm_idup(t->comm, &next, &r));
    EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
    EXPECT_OK(ep_thread_bind(next));
    EXPECT_OK(ep_comm_get_attr(EP_COMM_SELF, key, &value, &flag));
    EXPECT_EQ(flag, t->index == 0);
    if (EXPECT_OK(ep_comm_dup(EP_COMM_SELF, &copy)))
        expect_alone(t, copy);
    EXPECT_OK(ep_comm_free(&next));
    if (t->index == 0)
        EXPECT_OK(ep_comm_free(&t->comm));
    EXPECT_EQ(deleted, 1);
    EXPECT_OK(ep_comm_free_keyval(&key));
}

static const harness_test tests[] = {
    {"children", children, NULL},
    {"joined", joined, NULL},
    {"attributes", attributes, NULL},
    {"born again", born_again, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "self", tests);
}
