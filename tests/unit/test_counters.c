/* SPDX-License-Identifier: BSD-3-Clause */
/* test_counters.c: the tables of counters and settings, and adding. */
#include <ctype.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "unit.h"

/* ---- counters ---- */

START_TEST(names)
{
    for (int i = 0; i < COUNTERS; i++) {
        const struct counter_info *c = &counter_table[i];
        ck_assert_int_eq(counter_find(c->name), i); /* also: no name twice */
        ck_assert(*c->name && *c->unit && *c->meaning);
        for (const char *at = c->name; *at; at++)
            ck_assert(islower((unsigned char)*at) || *at == '_');
        ck_assert(c->kind == COUNTER_COUNT || c->kind == COUNTER_LEVEL || c->kind == COUNTER_PEAK);
    }
    ck_assert_int_eq(counter_find("sent"), -1);
    ck_assert_int_eq(counter_find(""), -1);
    ck_assert_int_eq(counter_find("sent_near "), -1);
}
END_TEST

START_TEST(values)
{
    struct counters a, b;
    uint64_t v[COUNTERS];
    counters_clear(&a);
    counters_clear(&b);
    add_alone(&a.sent_near, 1);
    add_alone(&a.sent_near_bytes, (uint64_t)3 << 40); /* more than an instruction takes as a constant */
    add_alone(&b.sent_near, 5);
    add_alone(&b.helped_by, (uint64_t)below(1) + 7);
    counters_read(&a, &b, v);
    ck_assert_uint_eq(v[counter_find("sent_near")], 6);
    ck_assert_uint_eq(v[counter_find("sent_near_bytes")], (uint64_t)3 << 40);
    ck_assert_uint_eq(v[counter_find("helped_by")], 7);
    uint64_t sum = 0;
    for (int i = 0; i < COUNTERS; i++)
        sum += v[i];
    ck_assert_uint_eq(sum, 6 + ((uint64_t)3 << 40) + 7);
    counters_clear(&a);
    counters_clear(&b);
    counters_read(&a, &b, v);
    for (int i = 0; i < COUNTERS; i++)
        ck_assert_uint_eq(v[i], 0);
}
END_TEST

START_TEST(levels)
{
    struct counters a, b;
    uint64_t v[COUNTERS], w[COUNTERS];
    int now = counter_find("unexpected_now"), peak = counter_find("unexpected_peak");
    counters_clear(&a);
    counters_clear(&b);
    for (int i = 0; i < 4; i++)
        counter_rise(&b.unexpected_now, &b.unexpected_peak);
    for (int i = 0; i < 3; i++)
        counter_fall(&b.unexpected_now);
    counter_rise(&b.unexpected_now, &b.unexpected_peak);
    counters_read(&a, &b, v);
    ck_assert_uint_eq(v[now], 2);
    ck_assert_uint_eq(v[peak], 4);
    memcpy(w, v, sizeof w);
    w[peak] = 3;
    w[0] = 10;
    counters_add(v, w);
    ck_assert_uint_eq(v[now], 4);
    ck_assert_uint_eq(v[peak], 4);
    ck_assert_uint_eq(v[0], 10);
    w[peak] = 9;
    counters_add(v, w);
    ck_assert_uint_eq(v[peak], 9);
}
END_TEST

enum { ADDS = 200000 };
static _Atomic uint64_t word;

static void *adder(void *unused)
{
    for (int i = 0; i < ADDS; i++)
        add_alone(&word, 3);
    return unused;
}

/* A reader sees only values that were there, and they grow. */
START_TEST(one_writer)
{
    pthread_t thread;
    uint64_t seen = 0;
    store_relaxed(&word, 0);
    ck_assert_int_eq(pthread_create(&thread, NULL, adder, NULL), 0);
    while (seen < 3 * ADDS) {
        uint64_t now = load_relaxed(&word);
        ck_assert_uint_ge(now, seen);
        ck_assert_uint_eq(now % 3, 0);
        seen = now;
    }
    pthread_join(thread, NULL);
    ck_assert_uint_eq(seen, 3 * ADDS);
}
END_TEST

/* ---- settings ---- */

static const struct setting *setting(const char *env)
{
    for (int i = 0; settings_entry(i); i++)
        if (strcmp(settings_entry(i)->env, env) == 0)
            return settings_entry(i);
    ck_abort_msg("no setting %s", env);
}

START_TEST(entries)
{
    int n = 0;
    ck_assert_ptr_null(settings_entry(-1));
    for (const struct setting *s; (s = settings_entry(n)); n++) {
        ck_assert_ptr_eq(setting(s->env), s); /* no name twice */
        ck_assert(*s->meaning);
        ck_assert_int_eq(s->across == SETTINGS_JOB, s->job != NULL);
        ck_assert(s->kind == SETTING_TEXT || (s->value == NULL) != (s->job == NULL));
        if (s->kind == SETTING_NUMBER)
            ck_assert(s->lowest <= s->def && s->def <= s->highest);
        else
            ck_assert(strncmp(settings_choice(s, 0), s->choices, strlen(s->choices)) == 0);
    }
    ck_assert_int_gt(n, 10);
    ck_assert_ptr_null(settings_entry(n));
}
END_TEST

/* Three processes; the first has nothing but defaults. */
START_TEST(votes)
{
    long vote[3][SETTINGS_VOTES], value[2];
    settings_vote(vote[0]);
    ck_assert_ptr_null(settings_differ(vote[0], vote[0], value));
    store_relaxed(&settings.watchdog, 3000);
    settings_vote(vote[1]);
    store_relaxed(&settings.watchdog, 5000);
    store_relaxed(&settings.shared_memory, 0);
    settings_vote(vote[2]);
    store_relaxed(&settings.watchdog, 0);
    store_relaxed(&settings.shared_memory, 1);
    ck_assert_ptr_null(settings_differ(vote[0], vote[2], value));
    settings_add_vote(vote[0], vote[1]);
    settings_add_vote(vote[0], vote[2]);
    ck_assert_int_eq(settings_voted(vote[0], &settings.watchdog), 3000);
    ck_assert_int_eq(settings_voted(vote[0], &settings.shared_memory), 0);
    ck_assert_int_eq(settings_voted(vote[0], &settings.check), 0);
    settings_adopt(vote[0]);
    ck_assert_int_eq(settings_value(setting("EP_WATCHDOG")), 3000);
    ck_assert_int_eq(settings_value(setting("EP_SHARED_MEMORY")), 0);
    store_relaxed(&settings.watchdog, 0);
    store_relaxed(&settings.shared_memory, 1);
}
END_TEST

START_TEST(differing)
{
    long a[SETTINGS_VOTES], b[SETTINGS_VOTES], value[2];
    char text[32];
    settings_vote(a);
    settings.rma = RMA_AM;
    settings_vote(b);
    settings.rma = RMA_AUTO;
    const struct setting *s = settings_differ(a, b, value);
    ck_assert_ptr_eq(s, setting("EP_RMA"));
    ck_assert_str_eq(settings_show(s, value[0], text, sizeof text), "auto");
    ck_assert_str_eq(settings_show(s, value[1], text, sizeof text), "am");
    settings_adopt(b);
    ck_assert_int_eq(settings.rma, RMA_AUTO);
}
END_TEST

START_TEST(sources)
{
    const struct setting *number = setting("EP_TOGETHER"), *choice = setting("EP_WAIT"),
                         *text = setting("EP_THREADS");
    ck_assert(number->value == &settings.together && choice->value == &settings.wait);
    ck_assert_int_eq(settings_source(number), SETTING_DEFAULT);
    ck_assert_int_eq(*number->value, number->def);
    setenv("EP_TOGETHER", "4096", 1);
    ck_assert_int_eq(settings_source(number), SETTING_ENVIRONMENT);
    setenv("EP_TOGETHER", "4095", 1);
    ck_assert_int_eq(settings_source(number), SETTING_REFUSED);
    setenv("EP_TOGETHER", "8192 ", 1);
    ck_assert_int_eq(settings_source(number), SETTING_REFUSED);
    setenv("EP_WAIT", "yield", 1);
    ck_assert_int_eq(settings_source(choice), SETTING_ENVIRONMENT);
    setenv("EP_WAIT", "yiel", 1);
    ck_assert_int_eq(settings_source(choice), SETTING_REFUSED);
    setenv("EP_THREADS", "anything", 1);
    ck_assert_int_eq(settings_source(text), SETTING_ENVIRONMENT);
    ck_assert(strncmp(settings_choice(choice, WAIT_YIELD), "yield|", 6) == 0);
    ck_assert_str_eq(settings_choice(choice, WAIT_SLEEP), "sleep");
}
END_TEST

int main(void)
{
    unsetenv("EP_TOGETHER");
    unsetenv("EP_WAIT");
    unsetenv("EP_THREADS");
    const TTest *tests[] = {names, values, levels, one_writer, entries, votes, differing, sources};
    return UNIT_MAIN("counters", tests);
}
