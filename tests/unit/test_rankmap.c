/* SPDX-License-Identifier: BSD-3-Clause */
/* test_rankmap.c: every form of rank map, both ways, against the plain list of who has which rank. */
#include <stdlib.h>
#include <string.h>

#include "comm/rankmap.h"
#include "unit.h"

enum { MOST = 200, MOST_PROCS = 12 };

enum form { REGULAR, BLOCKS, LISTED };

static enum form form_of(const struct rankmap *m)
{
    return m->each ? REGULAR : m->seat ? LISTED : BLOCKS;
}

/* What is wrong with m as the map of proc_of, in number. */
static int errors(const struct rankmap *m, const int proc_of[], int size, int nproc)
{
    int counts[MOST_PROCS] = {0}, widest = 0, index, wrong = m->size != size || m->nproc != nproc;
    for (int r = 0; r < size; r++) {
        int want = counts[proc_of[r]]++;
        wrong += rankmap_proc(m, r, &index) != proc_of[r] || index != want;
        wrong += rankmap_rank(m, proc_of[r], want) != r;
    }
    for (int p = 0; p < nproc; p++) {
        wrong += rankmap_count(m, p) != counts[p];
        widest = counts[p] > widest ? counts[p] : widest;
    }
    return wrong + (m->widest != widest);
}

/* Make the map of a list, check it and a copy that outlives it, return its form. */
static enum form check_list(const int proc_of[], int size, int nproc)
{
    struct rankmap m, copy;
    ck_assert(rankmap_list(&m, proc_of, size, nproc));
    enum form form = form_of(&m);
    ck_assert_int_eq(errors(&m, proc_of, size, nproc), 0);
    rankmap_copy(&copy, &m);
    ck_assert(copy.arrays == m.arrays);
    ck_assert_int_eq(m.arrays == NULL, form == REGULAR);
    rankmap_free(&m); /* the copy lives on */
    ck_assert_int_eq(errors(&copy, proc_of, size, nproc), 0);
    rankmap_free(&copy);
    return form;
}

/* The list of consecutive ranks. Returns their number. */
static int spread(const int counts[], int nproc, int proc_of[])
{
    int size = 0;
    for (int p = 0; p < nproc; p++)
        for (int i = 0; i < counts[p]; i++)
            proc_of[size++] = p;
    return size;
}

static enum form check_blocks(const int counts[], int nproc)
{
    struct rankmap m;
    int proc_of[MOST], size = spread(counts, nproc, proc_of);
    ck_assert(rankmap_blocks(&m, counts, nproc));
    enum form form = form_of(&m);
    ck_assert_int_eq(errors(&m, proc_of, size, nproc), 0);
    rankmap_free(&m);
    rankmap_free(&m); /* does no harm */
    if (size)
        ck_assert_int_eq(check_list(proc_of, size, nproc), form);
    return form;
}

START_TEST(regular)
{
    for (int nproc = 1; nproc <= MOST_PROCS; nproc++)
        for (int each = 1; each <= 9; each++) {
            int counts[MOST_PROCS], cyclic[MOST];
            for (int p = 0; p < nproc; p++)
                counts[p] = each;
            ck_assert_int_eq(check_blocks(counts, nproc), REGULAR);
            for (int r = 0; r < nproc * each; r++)
                cyclic[r] = r % nproc;
            ck_assert_int_eq(check_list(cyclic, nproc * each, nproc), REGULAR);
        }
}
END_TEST

START_TEST(blocks)
{
    static const int shapes[][5] = {{3, 0, 2, 0, 0}, {0, 0, 0, 0, 1}, {0, 4, 0, 0, 4}, {1, 2, 3, 4, 5},
                                    {5, 5, 5, 5, 4}, {0, 0, 7, 0, 0}, {1, 0, 0, 0, 0}, {4, 5, 5, 5, 5}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        ck_assert_int_eq(check_blocks(shapes[i], 5), BLOCKS);
}
END_TEST

START_TEST(nobody)
{
    static const int none[3] = {0};
    struct rankmap m;
    ck_assert(rankmap_blocks(&m, none, 3));
    ck_assert_int_eq(m.size + m.widest, 0);
    for (int p = 0; p < 3; p++)
        ck_assert_int_eq(rankmap_count(&m, p), 0);
    rankmap_free(&m);
}
END_TEST

START_TEST(listed)
{
    static const int swapped[] = {1, 0}, cyclic_and_one[] = {0, 1, 0, 1, 0}, turned[] = {1, 0, 1, 0},
                     back_and_forth[] = {0, 1, 1, 0}, gap[] = {0, 2, 0, 2};
    ck_assert_int_eq(check_list(swapped, 2, 2), LISTED);
    ck_assert_int_eq(check_list(cyclic_and_one, 5, 2), LISTED);
    ck_assert_int_eq(check_list(turned, 4, 2), LISTED);
    ck_assert_int_eq(check_list(back_and_forth, 4, 2), LISTED);
    ck_assert_int_eq(check_list(gap, 4, 3), LISTED);
}
END_TEST

/* Any list, sorted or not, with processes that have none. */
START_TEST(random_lists)
{
    int seen[3] = {0};
    for (int round = 0; round < 2000; round++) {
        int proc_of[MOST], counts[MOST_PROCS], nproc = 1 + below(MOST_PROCS), few = 1 + below(4), size;
        for (int p = 0; p < nproc; p++)
            counts[p] = below(3) ? few : below(16);
        if (!(size = spread(counts, nproc, proc_of)))
            continue;
        if (below(2))
            shuffle(proc_of, size);
        seen[check_list(proc_of, size, nproc)]++;
    }
    ck_assert(seen[REGULAR] && seen[BLOCKS] && seen[LISTED]);
}
END_TEST

/* Blocks are O(processes), regular ones O(1), however many ranks. */
START_TEST(memory)
{
    enum { PROCS = 1000, EACH = 1000 };
    int *counts = malloc(PROCS * sizeof *counts), index;
    struct rankmap m;
    for (int p = 0; p < PROCS; p++)
        counts[p] = EACH;
    ck_assert(rankmap_blocks(&m, counts, PROCS));
    ck_assert_ptr_null(m.arrays);
    ck_assert_int_eq(rankmap_proc(&m, 777 * EACH + 5, &index), 777);
    ck_assert_int_eq(index, 5);
    rankmap_free(&m);
    counts[3] = 0;
    ck_assert(rankmap_blocks(&m, counts, PROCS));
    ck_assert_ptr_null(m.seat);
    ck_assert_int_eq(rankmap_proc(&m, 777 * EACH + 5, &index), 778);
    ck_assert_int_eq(index, 5);
    rankmap_free(&m);
    free(counts);
}
END_TEST

/* Fail each allocation in turn; nothing is left behind (the leak sanitizer looks). */
START_TEST(without_memory)
{
    static const int proc_of[] = {0, 1, 1, 0, 2}, counts[] = {1, 2, 3};
    struct rankmap m;
    int failures = 0;
    for (bool again = true; again; failures += again) {
        fail_allocation(failures);
        bool ok = rankmap_list(&m, proc_of, 5, 3);
        again = allocation_failed();
        fail_allocation(-1);
        ck_assert_int_eq(ok, !again);
    }
    ck_assert_int_eq(failures, 2); /* counts and arrays */
    rankmap_free(&m);
    fail_allocation(0);
    bool ok = rankmap_blocks(&m, counts, 3);
    ck_assert(!ok && allocation_failed());
    fail_allocation(-1);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {regular, blocks, nobody, listed, random_lists, memory, without_memory};
    return UNIT_MAIN("rankmap", tests);
}
