/* SPDX-License-Identifier: BSD-3-Clause */
/* test_table.c: the hash table against an array that says what is in it; how long its chains get. */
#include "base/table.h"

#include "base/atomics.h"
#include "unit.h"

enum { ITEMS = 5000, KEYS = 1500, ROUNDS = 20, LONGEST = 16 };

struct item {
    struct table_link link;
    bool in;
    uint64_t key;
    int since; /* the number of its adding */
};

static struct item items[ITEMS];

/* The newest first, as the model says. */
static struct item *newest_before(uint64_t key, int before)
{
    struct item *found = NULL;
    for (int i = 0; i < ITEMS; i++)
        if (items[i].in && items[i].key == key && items[i].since < before &&
            (!found || items[i].since > found->since))
            found = &items[i];
    return found;
}

static void check_key(struct table *t, uint64_t key)
{
    int before = INT32_MAX;
    for (struct table_link *l = table_find(t, key);; l = table_next(l->next, key)) {
        struct item *is = l ? container_of(l, struct item, link) : NULL, *want = newest_before(key, before);
        ck_assert_ptr_eq(is, want);
        if (!want)
            break;
        before = want->since;
    }
}

static void turn_over(struct table *t, struct item *i, int number)
{
    if (i->in) {
        table_remove(t, &i->link);
    } else {
        i->key = (uint64_t)below(KEYS) * (uint64_t)(1 + below(2) * 4096);
        i->since = number;
        table_add(t, &i->link, i->key);
    }
    i->in = !i->in;
}

static void change_at_random(bool memory)
{
    struct table t = {0};
    for (int i = 0; i < ITEMS; i++)
        items[i].in = false;
    for (int n = 0; n < ROUNDS * ITEMS; n++) {
        if (!memory)
            fail_allocation(0);
        turn_over(&t, &items[below(ITEMS)], n);
        fail_allocation(-1);
        if (n % ITEMS == 0)
            for (int i = 0; i < 20; i++)
                check_key(&t, (uint64_t)below(KEYS));
    }
    for (int i = 0; i < ITEMS; i++)
        if (items[i].in)
            table_remove(&t, &items[i].link);
    ck_assert_uint_eq(t.count, 0);
}

START_TEST(has_what_was_added)
{
    change_at_random(true);
}
END_TEST

START_TEST(works_without_memory)
{
    change_at_random(false);
}
END_TEST

static int length(struct table_link *l)
{
    int n = 0;
    for (; l; l = l->next)
        n++;
    return n;
}

/* Numbers in a row, multiples, addresses. */
START_TEST(chains_stay_short)
{
    static const uint64_t steps[] = {1, 2, 16, 64, 4096, 1u << 20, (uint64_t)1 << 32};
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
        struct table t = {0};
        for (uint64_t i = 0; i < ITEMS; i++)
            table_add(&t, &items[i].link, 0x7f0000000000u + i * steps[s]);
        for (uint64_t i = 0; i < ITEMS; i++)
            ck_assert_int_le(length(*table_chain(&t, 0x7f0000000000u + i * steps[s])), LONGEST);
        for (uint64_t i = 0; i < ITEMS; i++)
            table_remove(&t, &items[i].link);
    }
}
END_TEST

int main(void)
{
    const TTest *tests[] = {has_what_was_added, works_without_memory, chains_stay_short};
    return UNIT_MAIN("table", tests);
}
