/* SPDX-License-Identifier: BSD-3-Clause */
/* datatypes.c: any layout to any other of the same signature. What must be in the receive buffer, gaps included,
 * is computed with MPI_Pack and MPI_Unpack. */
#include "pairs.h"
#include "types.h"
#include <stdlib.h>
#include <string.h>

enum { TAG_DATA = 4 };

/* A buffer for count elements of type, and where in it the address for MPI is. */
typedef struct {
    unsigned char *memory, *address;
    size_t bytes;
} area;

static area area_for(MPI_Datatype type, int count, unsigned key)
{
    MPI_Aint below, above;
    area a;
    layout_bounds(type, count, &below, &above);
    a.bytes = (size_t)(below + above) + 64;
    a.memory = xmalloc(a.bytes);
    a.address = a.memory + below + 32;
    fill(a.memory, a.bytes, key);
    return a;
}

/* What the receive buffer must hold: the sender's bytes (known from key), packed, unpacked. */
static void check_received(const area *got, layout from, layout to, int repeat, unsigned send_key,
                           unsigned recv_key)
{
    int room = repeat * LAYOUT_INTS * (int)sizeof(int), at = 0;
    area sent = area_for(from.type, repeat * from.count, send_key);
    area want = area_for(to.type, repeat * to.count, recv_key);
    unsigned char *packed = xmalloc((size_t)room);
    MPI_Pack(sent.address, repeat * from.count, from.type, packed, room, &at, MPI_COMM_SELF);
    EXPECT_EQ(at, room);
    at = 0;
    MPI_Unpack(packed, room, &at, want.address, repeat * to.count, to.type, MPI_COMM_SELF);
    EXPECT_EQ(got->bytes, want.bytes);
    EXPECT(memcmp(got->memory, want.memory, want.bytes) == 0);
    free(packed);
    free(sent.memory);
    free(want.memory);
}

static void send_layout(team_t *t, int partner, layout l, int repeat, unsigned key)
{
    area a = area_for(l.type, repeat * l.count, key);
    EXPECT_OK(ep_send(a.address, repeat * l.count, l.type, partner, TAG_DATA, t->comm));
    free(a.memory);
}

static void receive_layout(team_t *t, int partner, layout from, layout to, int repeat, unsigned key)
{
    unsigned recv_key = 1000 + key;
    int count = -1;
    ep_status status;
    area a = area_for(to.type, repeat * to.count, recv_key);
    EXPECT_OK(ep_recv(a.address, repeat * to.count, to.type, partner, TAG_DATA, t->comm, &status));
    EXPECT_OK(ep_get_count(&status, to.type, &count));
    EXPECT_EQ(count, repeat * to.count);
    check_received(&a, from, to, repeat, key, recv_key);
    free(a.memory);
}

static void pair_layouts(team_t *t, int partner, void *arg)
{
    static const int repeats[] = {1, 20, 3000}; /* 96 B, 1.9 kB, 288 kB: inline, one copy, rendezvous */
    layout *l = arg;
    for (int i = 0; i < LAYOUTS * LAYOUTS * 3; i++) {
        layout from = l[i % LAYOUTS], to = l[i / LAYOUTS % LAYOUTS];
        int repeat = repeats[i / LAYOUTS / LAYOUTS], lower_sends = i % 2;
        if (repeat == 3000 && harness_slowness() > 1 && i % 5)
            continue;
        if ((t->rank < partner) == lower_sends)
            send_layout(t, partner, from, repeat, (unsigned)i);
        else
            receive_layout(t, partner, from, to, repeat, (unsigned)i);
    }
}

static void all_to_all_layouts(team_t *t, void *arg)
{
    layout l[LAYOUTS];
    (void)arg;
    layouts_make(l);
    for_pairs(t, pair_layouts, l);
    layouts_free(l);
}

/* The type is freed while the operation is pending: MPI keeps it alive. */
static void pair_freed(team_t *t, int partner, void *arg)
{
    (void)arg;
    for (int repeat = 1; repeat < 3000; repeat *= 50) {
        layout l[LAYOUTS], keep[LAYOUTS];
        layouts_make(l);
        layouts_make(keep);
        area out = area_for(l[2].type, repeat, 1), in = area_for(l[5].type, repeat, 2);
        ep_request requests[2];
        EXPECT_OK(ep_irecv(in.address, repeat, l[5].type, partner, TAG_DATA, t->comm, &requests[0]));
        MPI_Type_free(&l[5].type);
        EXPECT_OK(ep_isend(out.address, repeat, l[2].type, partner, TAG_DATA, t->comm, &requests[1]));
        MPI_Type_free(&l[2].type);
        MPI_Type_contiguous(3, MPI_INT, &l[2].type); /* may get the freed handle's memory */
        MPI_Type_vector(3, 1, 4, MPI_INT, &l[5].type);
        EXPECT_OK(ep_waitall(2, requests, EP_STATUSES_IGNORE));
        check_received(&in, keep[2], keep[5], repeat, 1, 2);
        free(out.memory);
        free(in.memory);
        layouts_free(l);
        layouts_free(keep);
    }
}

static void freed_while_pending(team_t *t, void *arg)
{
    for_pairs(t, pair_freed, arg);
}

typedef struct {
    char c;
    double d;
    short s[3];
    long l;
} record;

/* The record's signature at absolute addresses: count 1 of it is sent from MPI_BOTTOM. */
static MPI_Datatype absolute_record(record *r)
{
    int lengths[4] = {1, 1, 3, 1};
    MPI_Datatype parts[4] = {MPI_CHAR, MPI_DOUBLE, MPI_SHORT, MPI_LONG}, type;
    MPI_Aint at[4];
    MPI_Get_address(&r->c, &at[0]);
    MPI_Get_address(&r->d, &at[1]);
    MPI_Get_address(r->s, &at[2]);
    MPI_Get_address(&r->l, &at[3]);
    MPI_Type_create_struct(4, lengths, at, parts, &type);
    MPI_Type_commit(&type);
    return type;
}

static void pair_bottom(team_t *t, int partner, void *arg)
{
    record out = {(char)t->rank, t->rank * 0.5, {1, (short)t->rank, 3}, 1L << 40 | t->rank}, in = {0};
    MPI_Datatype send_type = absolute_record(&out), recv_type = absolute_record(&in);
    ep_request request;
    int elements = -1;
    ep_status status;
    (void)arg;
    EXPECT_OK(ep_irecv(MPI_BOTTOM, 1, recv_type, partner, TAG_DATA, t->comm, &request));
    EXPECT_OK(ep_send(MPI_BOTTOM, 1, send_type, partner, TAG_DATA, t->comm));
    EXPECT_OK(ep_wait(&request, &status));
    EXPECT_EQ(in.c, (char)partner);
    EXPECT(in.d == partner * 0.5);
    EXPECT_EQ(in.s[0], 1);
    EXPECT_EQ(in.s[1], partner);
    EXPECT_EQ(in.l, 1L << 40 | partner);
    EXPECT_OK(ep_get_elements(&status, recv_type, &elements));
    EXPECT_EQ(elements, 6);
    MPI_Type_free(&send_type);
    MPI_Type_free(&recv_type);
}

static void absolute_addresses(team_t *t, void *arg)
{
    for_pairs(t, pair_bottom, arg);
}

/* Fewer elements than the receive has room for: get_count, get_elements, and an untouched rest. */
static void pair_partial(team_t *t, int partner, void *arg)
{
    MPI_Datatype pair_type;
    int out[7] = {1, 2, 3, 4, 5, 6, 7}, in[16], count;
    MPI_Count elements;
    ep_status status;
    (void)arg;
    MPI_Type_vector(2, 1, 2, MPI_INT, &pair_type); /* x_x, extent 3 */
    MPI_Type_commit(&pair_type);
    for (int n = 0; n <= 7; n++) {
        memset(in, 0xff, sizeof in);
        EXPECT_OK(ep_sendrecv(out, n, MPI_INT, partner, n, in, 5, pair_type, partner, n, t->comm, &status));
        EXPECT_OK(ep_get_count(&status, pair_type, &count));
        EXPECT_EQ(count, n % 2 ? MPI_UNDEFINED : n / 2);
        EXPECT_OK(ep_get_elements(&status, pair_type, &count));
        EXPECT_EQ(count, n);
        EXPECT_OK(ep_get_elements_x(&status, pair_type, &elements));
        EXPECT_EQ(elements, n);
        for (int i = 0, k = 0; i < 16; i++) /* x_x x_x ...: offsets 0 and 2 of each 3 */
            EXPECT_EQ(in[i], i % 3 != 1 && k < n ? out[k++] : -1);
    }
    MPI_Type_free(&pair_type);
}

static void partial(team_t *t, void *arg)
{
    for_pairs(t, pair_partial, arg);
}

/* The same where elements are of several sizes: the end may be inside of one. A pair by itself is one element, in a type two. */
static void pair_uneven(team_t *t, int partner, void *arg)
{
    static const int bytes[] = {0, 8, 10, 12, 20, 22, 23, 24, 32, 44},
                     mixed[] = {0, 1, 2, 3, 4, 5, MPI_UNDEFINED, 6, 7, 10},
                     alone[] = {
                         0, 1, MPI_UNDEFINED, MPI_UNDEFINED, MPI_UNDEFINED, MPI_UNDEFINED, MPI_UNDEFINED,
                         3, 4, MPI_UNDEFINED};
    const int lengths[2] = {1, 2};
    const MPI_Aint at[2] = {0, 8};
    const MPI_Datatype parts[2] = {MPI_DOUBLE, MPI_SHORT};
    char out[64] = {0}, in[64];
    MPI_Datatype uneven;
    ep_status status;
    int count;
    (void)arg;
    MPI_Type_create_struct(2, lengths, at, parts, &uneven);
    MPI_Type_commit(&uneven);
    for (int i = 0; i < (int)(sizeof bytes / sizeof bytes[0]); i++) {
        EXPECT_OK(
            ep_sendrecv(out, bytes[i], MPI_BYTE, partner, 2, in, 64, MPI_BYTE, partner, 2, t->comm, &status));
        EXPECT_OK(ep_get_elements(&status, uneven, &count));
        EXPECT_EQ(count, mixed[i]);
        EXPECT_OK(ep_get_elements(&status, MPI_FLOAT_INT, &count));
        EXPECT_EQ(count, alone[i]);
    }
    MPI_Type_free(&uneven);
}

static void uneven(team_t *t, void *arg)
{
    for_pairs(t, pair_uneven, arg);
}

/* Types without data, and an empty receive count of a real type. */
static void pair_empty(team_t *t, int partner, void *arg)
{
    MPI_Datatype nothing;
    ep_status status;
    int count = -1, x = 9;
    (void)arg;
    MPI_Type_contiguous(0, MPI_INT, &nothing);
    MPI_Type_commit(&nothing);
    EXPECT_OK(ep_sendrecv(NULL, 5, nothing, partner, 1, NULL, 3, nothing, partner, 1, t->comm, &status));
    EXPECT_OK(ep_get_count(&status, MPI_INT, &count));
    EXPECT_EQ(count, 0);
    EXPECT_OK(ep_sendrecv(NULL, 0, MPI_INT, partner, 1, &x, 1, MPI_INT, partner, 1, t->comm, &status));
    EXPECT_OK(ep_get_count(&status, MPI_INT, &count));
    EXPECT_EQ(count, 0);
    EXPECT_EQ(x, 9);
    MPI_Type_free(&nothing);
}

static void empty(team_t *t, void *arg)
{
    for_pairs(t, pair_empty, arg);
}

/* ---- types of types ---- */

static MPI_Datatype both(MPI_Datatype a, MPI_Datatype b, MPI_Aint apart)
{
    const int ones[2] = {1, 1};
    const MPI_Aint at[2] = {0, apart};
    MPI_Datatype of[2] = {a, b}, made;
    MPI_Type_create_struct(2, ones, at, of, &made);
    MPI_Type_free(&a);
    MPI_Type_free(&b);
    return made;
}

/* Parts that lie otherwise than those of the part before, but have the same size: as one block, and its ints swapped. */
static MPI_Datatype swapped_second(void)
{
    const int ones[2] = {1, 1}, back[2] = {1, 0};
    MPI_Datatype plain[2], swapped[2], all;
    for (int i = 0; i < 2; i++) {
        MPI_Type_contiguous(2, MPI_INT, &plain[i]);
        MPI_Type_indexed(2, ones, back, MPI_INT, &swapped[i]);
    }
    all = both(both(plain[0], plain[1], 8), both(swapped[0], swapped[1], 8), 16);
    MPI_Type_commit(&all);
    return all;
}

static void parts_of_parts(team_t *t, void *arg)
{
    static const int want[8] = {0, 1, 2, 3, 5, 4, 7, 6}, sent[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    int got[8] = {0}, next = (t->rank + 1) % t->size, before = (t->rank + t->size - 1) % t->size;
    MPI_Datatype type = swapped_second();
    (void)arg;
    EXPECT_OK(ep_sendrecv(sent, 1, type, next, TAG_DATA, got, 8, MPI_INT, before, TAG_DATA, t->comm,
                          EP_STATUS_IGNORE));
    EXPECT(memcmp(got, want, sizeof want) == 0);
    MPI_Type_free(&type);
}

static const harness_test tests[] = {
    {"any layout to any other", all_to_all_layouts, NULL},
    {"type freed while pending", freed_while_pending, NULL},
    {"absolute addresses", absolute_addresses, NULL},
    {"partial receive", partial, NULL},
    {"partial receive of uneven elements", uneven, NULL},
    {"empty types", empty, NULL},
    {"parts of parts", parts_of_parts, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "datatypes", tests);
}
