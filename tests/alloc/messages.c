/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory runs out while messages are sent and received. A send that fails sends nothing, a receive that fails has received
 * nothing or says so; the others go on. Who is told of an error tries again, with memory.
 */
#include "inject.h"
#include "trial.h"

#include <stdlib.h>
#include <string.h>

enum { MESSAGES = 40, ROOM = 1 << 18 };

/* What MPI is asked for when memory has run out fails, too: datatypes that nobody needs otherwise. */
int MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype *made)
{
    return inject_hit() ? MPI_ERR_NO_MEM : PMPI_Type_create_hvector(count, length, stride, old, made);
}

int MPI_Type_create_struct(int count, const int lengths[], const MPI_Aint at[], const MPI_Datatype old[],
                           MPI_Datatype *made)
{
    return inject_hit() ? MPI_ERR_NO_MEM : PMPI_Type_create_struct(count, lengths, at, old, made);
}

struct traffic {
    struct trial *x;
    int left, right, rc;
    char *out, *in;
    int sent[64]; /* by rank: their send was begun */
};

static struct traffic begin(struct trial *x)
{
    struct traffic k = {.x = x, .left = (x->rank + x->size - 1) % x->size, .right = (x->rank + 1) % x->size};
    k.out = xmalloc(ROOM);
    k.in = xmalloc(ROOM);
    memset(k.out, x->rank + 1, ROOM);
    memset(k.in, 0, ROOM);
    return k;
}

static int end(struct traffic *k)
{
    free(k->out);
    free(k->in);
    return k->rc;
}

/* A call that failed is made again, once: there is memory now. */
static bool ok(struct traffic *k, int got)
{
    note(k->x, &k->rc, got);
    return got == MPI_SUCCESS;
}

static void check(struct traffic *k, size_t n, const ep_status *s)
{
    wrong_if(k->x, s->MPI_SOURCE != k->left, "the message is from another");
    for (size_t i = 0; i < n; i++)
        if (k->in[i] != (char)(k->left + 1)) {
            wrong_if(k->x, true, "data are wrong");
            return;
        }
}

typedef int sending(const void *buf, int count, MPI_Datatype type, int dest, int tag, ep_comm comm, ep_request *r);

/* A ring, with the receive first or last, from the left neighbour or from anybody. */
static int ring(struct trial *x, int n, sending *isend, bool early, int from)
{
    struct traffic k = begin(x);
    ep_request sent = EP_REQUEST_NULL, got = EP_REQUEST_NULL;
    ep_status s;
    int source = from < 0 ? from : k.left, rc;
    if (early && !ok(&k, ep_irecv(k.in, n, MPI_CHAR, source, 7, x->comm, &got)))
        wrong_if(x, ep_irecv(k.in, n, MPI_CHAR, source, 7, x->comm, &got) != MPI_SUCCESS, "no receive");
    if (!ok(&k, isend(k.out, n, MPI_CHAR, k.right, 7, x->comm, &sent)))
        wrong_if(x, isend(k.out, n, MPI_CHAR, k.right, 7, x->comm, &sent) != MPI_SUCCESS, "no send");
    if (!early && !ok(&k, ep_irecv(k.in, n, MPI_CHAR, source, 7, x->comm, &got)))
        wrong_if(x, ep_irecv(k.in, n, MPI_CHAR, source, 7, x->comm, &got) != MPI_SUCCESS, "no receive");
    rc = ep_wait(&got, &s);
    if (ok(&k, rc))
        check(&k, (size_t)n, &s);
    ok(&k, ep_wait(&sent, EP_STATUS_IGNORE));
    return end(&k);
}

/* Many come before they are received, the last first. */
static int unexpected(struct trial *x, int n)
{
    struct traffic k = begin(x);
    ep_request sent[MESSAGES];
    ep_status s;
    for (int i = 0; i < MESSAGES; i++)
        if (!ok(&k, ep_isend(k.out, n, MPI_CHAR, k.right, i, x->comm, &sent[i])))
            wrong_if(x, ep_isend(k.out, n, MPI_CHAR, k.right, i, x->comm, &sent[i]) != MPI_SUCCESS, "no send");
    for (int i = MESSAGES - 1; i >= 0; i--) {
        ep_request got = EP_REQUEST_NULL;
        memset(k.in, 0, (size_t)n);
        if (!ok(&k, ep_irecv(k.in, n, MPI_CHAR, k.left, i, x->comm, &got)))
            wrong_if(x, ep_irecv(k.in, n, MPI_CHAR, k.left, i, x->comm, &got) != MPI_SUCCESS, "no receive");
        if (ok(&k, ep_wait(&got, &s)))
            check(&k, (size_t)n, &s);
    }
    for (int i = 0; i < MESSAGES; i++)
        ok(&k, ep_wait(&sent[i], EP_STATUS_IGNORE));
    return end(&k);
}

/* Many receives and sends at a time: pools and tables grow. */
static int many(struct trial *x)
{
    enum { MANY = 200, N = 100 };
    struct traffic k = begin(x);
    ep_request sent[MANY], got[MANY];
    for (int i = 0; i < MANY; i++)
        if (!ok(&k, ep_irecv(k.in + (ptrdiff_t)i * N, N, MPI_CHAR, k.left, i, x->comm, &got[i])))
            wrong_if(x, ep_irecv(k.in + (ptrdiff_t)i * N, N, MPI_CHAR, k.left, i, x->comm, &got[i]) != MPI_SUCCESS,
                     "no receive");
    for (int i = MANY - 1; i >= 0; i--)
        if (!ok(&k, ep_isend(k.out, N, MPI_CHAR, k.right, i, x->comm, &sent[i])))
            wrong_if(x, ep_isend(k.out, N, MPI_CHAR, k.right, i, x->comm, &sent[i]) != MPI_SUCCESS, "no send");
    for (int i = 0; i < MANY; i++) {
        ep_status s;
        if (ok(&k, ep_wait(&got[i], &s)) && i == MANY - 1)
            check(&k, (size_t)N * MANY, &s);
        ok(&k, ep_wait(&sent[i], EP_STATUS_IGNORE));
    }
    return end(&k);
}

/* Every other byte, on one side or on both. */
static int scattered(struct trial *x, int n, bool sender, bool receiver)
{
    struct traffic k = begin(x);
    MPI_Datatype type;
    ep_request sent = EP_REQUEST_NULL, got = EP_REQUEST_NULL;
    ep_status s;
    MPI_Type_vector(n, 1, 2, MPI_CHAR, &type);
    MPI_Type_commit(&type);
    int rn = receiver ? 1 : n, sn = sender ? 1 : n;
    MPI_Datatype rt = receiver ? type : MPI_CHAR, st = sender ? type : MPI_CHAR;
    if (!ok(&k, ep_isend(k.out, sn, st, k.right, 7, x->comm, &sent)))
        wrong_if(x, ep_isend(k.out, sn, st, k.right, 7, x->comm, &sent) != MPI_SUCCESS, "no send");
    if (!ok(&k, ep_irecv(k.in, rn, rt, k.left, 7, x->comm, &got)))
        wrong_if(x, ep_irecv(k.in, rn, rt, k.left, 7, x->comm, &got) != MPI_SUCCESS, "no receive");
    if (ok(&k, ep_wait(&got, &s)) && !receiver)
        check(&k, (size_t)n, &s);
    ok(&k, ep_wait(&sent, EP_STATUS_IGNORE));
    MPI_Type_free(&type);
    return end(&k);
}

/* The receiver has no room for all of it: MPI_ERR_TRUNCATE, or MPI_ERR_NO_MEM. */
static int truncated(struct trial *x, int n)
{
    struct traffic k = begin(x);
    ep_request sent = EP_REQUEST_NULL, got = EP_REQUEST_NULL;
    if (!ok(&k, ep_isend(k.out, n, MPI_CHAR, k.right, 7, x->comm, &sent)))
        wrong_if(x, ep_isend(k.out, n, MPI_CHAR, k.right, 7, x->comm, &sent) != MPI_SUCCESS, "no send");
    if (!ok(&k, ep_irecv(k.in, n / 2, MPI_CHAR, k.left, 7, x->comm, &got)))
        wrong_if(x, ep_irecv(k.in, n / 2, MPI_CHAR, k.left, 7, x->comm, &got) != MPI_SUCCESS, "no receive");
    int rc = ep_wait(&got, EP_STATUS_IGNORE);
    wrong_if(x, rc == MPI_SUCCESS, "what does not fit was received");
    if (rc != MPI_ERR_TRUNCATE)
        ok(&k, rc);
    ok(&k, ep_wait(&sent, EP_STATUS_IGNORE));
    return end(&k);
}

static int buffered(struct trial *x)
{
    enum { N = 500 };
    struct traffic k = begin(x);
    char *room = xmalloc(ROOM);
    void *back;
    int size;
    ep_status s;
    if (!ok(&k, ep_buffer_attach(room, ROOM)))
        wrong_if(x, ep_buffer_attach(room, ROOM) != MPI_SUCCESS, "no buffer");
    if (!ok(&k, ep_bsend(k.out, N, MPI_CHAR, k.right, 7, x->comm)))
        wrong_if(x, ep_bsend(k.out, N, MPI_CHAR, k.right, 7, x->comm) != MPI_SUCCESS, "no send");
    int rc = ep_recv(k.in, N, MPI_CHAR, k.left, 7, x->comm, &s);
    if (!ok(&k, rc))
        wrong_if(x, ep_recv(k.in, N, MPI_CHAR, k.left, 7, x->comm, &s) != MPI_SUCCESS, "no receive");
    check(&k, N, &s);
    wrong_if(x, ep_buffer_detach(&back, &size) != MPI_SUCCESS, "the buffer stays");
    free(room);
    return end(&k);
}

static int persistent(struct trial *x)
{
    enum { N = 30000 };
    struct traffic k = begin(x);
    ep_request r[2];
    ep_status s[2];
    if (!ok(&k, ep_recv_init(k.in, N, MPI_CHAR, k.left, 7, x->comm, &r[0])))
        wrong_if(x, ep_recv_init(k.in, N, MPI_CHAR, k.left, 7, x->comm, &r[0]) != MPI_SUCCESS, "no receive");
    if (!ok(&k, ep_send_init(k.out, N, MPI_CHAR, k.right, 7, x->comm, &r[1])))
        wrong_if(x, ep_send_init(k.out, N, MPI_CHAR, k.right, 7, x->comm, &r[1]) != MPI_SUCCESS, "no send");
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++)
            if (!ok(&k, ep_start(&r[j])))
                wrong_if(x, ep_start(&r[j]) != MPI_SUCCESS, "no start");
        if (ok(&k, ep_wait(&r[0], &s[0])))
            check(&k, N, &s[0]);
        ok(&k, ep_wait(&r[1], &s[1]));
    }
    for (int j = 0; j < 2; j++)
        wrong_if(x, ep_request_free(&r[j]) != MPI_SUCCESS, "a request stays");
    return end(&k);
}

static int matched_probe(struct trial *x)
{
    enum { N = 3000 };
    struct traffic k = begin(x);
    ep_request sent = EP_REQUEST_NULL;
    ep_message m;
    ep_status s;
    if (!ok(&k, ep_isend(k.out, N, MPI_CHAR, k.right, 7, x->comm, &sent)))
        wrong_if(x, ep_isend(k.out, N, MPI_CHAR, k.right, 7, x->comm, &sent) != MPI_SUCCESS, "no send");
    if (!ok(&k, ep_mprobe(MPI_ANY_SOURCE, 7, x->comm, &m, &s)))
        wrong_if(x, ep_mprobe(MPI_ANY_SOURCE, 7, x->comm, &m, &s) != MPI_SUCCESS, "no message");
    if (!ok(&k, ep_mrecv(k.in, N, MPI_CHAR, &m, &s)))
        wrong_if(x, ep_mrecv(k.in, N, MPI_CHAR, &m, &s) != MPI_SUCCESS, "no receive");
    check(&k, N, &s);
    ok(&k, ep_wait(&sent, EP_STATUS_IGNORE));
    return end(&k);
}

#define ONE(name, call)                                                                                      \
    static int name(struct trial *x)                                                                         \
    {                                                                                                        \
        return call;                                                                                         \
    }
ONE(shortest, ring(x, 8, ep_isend, true, 0))
ONE(small, ring(x, 900, ep_isend, true, MPI_ANY_SOURCE))
ONE(middle, ring(x, 5000, ep_isend, false, 0))
ONE(large, ring(x, 200000, ep_isend, true, 0))
ONE(large_late, ring(x, 200000, ep_isend, false, MPI_ANY_SOURCE))
ONE(synchronous, ring(x, 8, ep_issend, false, 0))
ONE(synchronous_large, ring(x, 60000, ep_issend, true, 0))
ONE(unexpected_shortest, unexpected(x, 8))
ONE(unexpected_small, unexpected(x, 900))
ONE(unexpected_middle, unexpected(x, 5000))
ONE(unexpected_large, unexpected(x, 100000))
ONE(scattered_sent, scattered(x, 30000, true, false))
ONE(scattered_received, scattered(x, 30000, false, true))
ONE(scattered_both, scattered(x, 100000, true, true))
ONE(scattered_small, scattered(x, 300, true, true))
ONE(truncated_small, truncated(x, 800))
ONE(truncated_large, truncated(x, 100000))

static const struct scenario list[] = {
    {.name = "shortest", .run = shortest},
    {.name = "small", .run = small},
    {.name = "middle", .run = middle},
    {.name = "large", .run = large},
    {.name = "large, unexpected", .run = large_late},
    {.name = "synchronous", .run = synchronous},
    {.name = "synchronous large", .run = synchronous_large},
    {.name = "unexpected shortest", .run = unexpected_shortest},
    {.name = "unexpected small", .run = unexpected_small},
    {.name = "unexpected middle", .run = unexpected_middle},
    {.name = "unexpected large", .run = unexpected_large},
    {.name = "many", .run = many},
    {.name = "scattered sent", .run = scattered_sent},
    {.name = "scattered received", .run = scattered_received},
    {.name = "scattered both", .run = scattered_both},
    {.name = "scattered small", .run = scattered_small},
    {.name = "truncated", .run = truncated_small},
    {.name = "truncated large", .run = truncated_large},
    {.name = "buffered", .run = buffered},
    {.name = "persistent", .run = persistent},
    {.name = "matched probe", .run = matched_probe},
};

static void all(void)
{
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN)); /* for what belongs to no communicator */
    TRIALS(list);
}

static const harness_test tests[] = {{"messages", NULL, all}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "alloc messages", tests);
}
