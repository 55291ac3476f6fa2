/* SPDX-License-Identifier: BSD-3-Clause */
/* test_regions.c: attached memory against a plain array that says of each byte whose it is. */
#include <mpi.h>
#include <string.h>

#include "rma/regions.h"
#include "unit.h"

enum { BYTES = 200, ROUNDS = 100, STEPS = 300, LOOKS = 20, ALLOCATIONS = 8 };

/* Of a space of addresses: nobody looks at what is there. */
static const void *address(int at)
{
    return (const void *)((uintptr_t)1000000 + (uintptr_t)at);
}

/* begin + 1 of the region that each byte is in; and how many empty ones begin there. */
struct model {
    int owner[BYTES + 1], empty[BYTES + 1];
};

static bool is_free(const struct model *m, int at, int n)
{
    for (int i = at; i < at + n; i++)
        if (m->owner[i])
            return false;
    return true;
}

static bool is_covered(const struct model *m, int at, int n)
{
    for (int i = at; i < at + n; i++)
        if (!m->owner[i])
            return false;
    return true;
}

static void attach(struct regions *r, struct model *m, int at, int n)
{
    bool may = is_free(m, at, n);
    ck_assert_int_eq(regions_attach(r, address(at), (size_t)n), may ? MPI_SUCCESS : MPI_ERR_RMA_ATTACH);
    m->empty[at] += n == 0;
    for (int i = at; may && i < at + n; i++)
        m->owner[i] = at + 1;
}

static void detach(struct regions *r, struct model *m, int at)
{
    bool full = m->owner[at] == at + 1;
    ck_assert_int_eq(regions_detach(r, address(at)), full || m->empty[at] > 0);
    if (m->empty[at] > 0) {
        m->empty[at]--;
        return;
    }
    for (int i = at; full && i < BYTES && m->owner[i] == at + 1; i++)
        m->owner[i] = 0;
}

START_TEST(same_as_array)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct regions r;
        struct model m;
        int longest = 1 + below(30);
        regions_init(&r);
        memset(&m, 0, sizeof m);
        for (int step = 0; step < STEPS; step++) {
            int at = below(BYTES), n = below(longest);
            if (below(2))
                attach(&r, &m, at, at + n > BYTES ? BYTES - at : n);
            else
                detach(&r, &m, at);
            for (int i = 0; i < LOOKS; i++) {
                at = below(BYTES);
                n = below(BYTES - at + 1);
                ck_assert_int_eq(regions_have(&r, address(at), (size_t)n), is_covered(&m, at, n));
            }
        }
        regions_free(&r);
        ck_assert(!regions_have(&r, address(0), 1));
    }
}
END_TEST

START_TEST(ends_of_memory)
{
    struct regions r;
    regions_init(&r);
    const void *last = (const void *)(UINTPTR_MAX - 10);
    ck_assert_int_eq(regions_attach(&r, last, 100), MPI_ERR_RMA_ATTACH);
    ck_assert_int_eq(regions_attach(&r, last, 10), MPI_SUCCESS);
    ck_assert(regions_have(&r, last, 10));
    ck_assert(!regions_have(&r, last, 11));
    ck_assert(!regions_have(&r, last, 100));
    ck_assert(!regions_have(&r, last, SIZE_MAX));
    ck_assert_int_eq(regions_attach(&r, NULL, 0), MPI_SUCCESS);
    ck_assert(regions_detach(&r, NULL));
    ck_assert(!regions_detach(&r, NULL));
    regions_free(&r);
}
END_TEST

/* Without memory nothing has changed, and with memory it works again. */
START_TEST(no_memory)
{
    struct regions r;
    regions_init(&r);
    int failures = 0;
    for (int i = 0; i < 100; i++) {
        fail_allocation(0);
        int rc = regions_attach(&r, address(10 * i), 10);
        bool failed = allocation_failed();
        fail_allocation(-1);
        ck_assert_int_eq(rc, failed ? MPI_ERR_NO_MEM : MPI_SUCCESS);
        ck_assert_int_eq(regions_have(&r, address(10 * i), 10), !failed);
        if (failed)
            ck_assert_int_eq(regions_attach(&r, address(10 * i), 10), MPI_SUCCESS);
        failures += failed;
    }
    ck_assert_int_ge(failures, 2);
    ck_assert_int_le(failures, ALLOCATIONS);
    ck_assert(regions_have(&r, address(0), 1000));
    regions_free(&r);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {same_as_array, ends_of_memory, no_memory};
    return UNIT_MAIN("regions", tests);
}
