/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/settings.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomics.h"
#include "base/log.h"

struct settings settings = {
#define NUMBER(field, env, across, def, lowest, highest, meaning) .field = def,
#define CHOICE(field, env, across, def, choices, meaning) .field = def,
#define DURATION(field, env, across, meaning) .field = 0,
#define GIVEN(field, env, across, values, def, meaning) .field = 0,
#define TEXT(env, values, def, meaning)
#include "base/settings.def"
#undef NUMBER
#undef CHOICE
#undef DURATION
#undef GIVEN
#undef TEXT
};

#define PLACE_OWN(field) SETTINGS_OWN, &settings.field, NULL
#define PLACE_JOB(field) SETTINGS_JOB, NULL, &settings.field
#define PLACE_SAME(field) SETTINGS_SAME, &settings.field, NULL

static const struct setting table[] = {
#define NUMBER(field, env, across, def, lowest, highest, meaning)                                            \
    {env, meaning, SETTING_NUMBER, PLACE_##across(field), def, lowest, highest, NULL, NULL},
#define CHOICE(field, env, across, def, choices, meaning)                                                    \
    {env, meaning, SETTING_CHOICE, PLACE_##across(field), def, 0, 0, choices, NULL},
#define DURATION(field, env, across, meaning)                                                                \
    {env,  meaning, SETTING_DURATION, PLACE_##across(field), 0, 0, LONG_MAX, "a number with ms, s, m or h",  \
     "off"},
#define GIVEN(field, env, across, values, def, meaning)                                                      \
    {env, meaning, SETTING_TEXT, PLACE_##across(field), 0, 0, 0, values, def},
#define TEXT(env, values, def, meaning)                                                                      \
    {env, meaning, SETTING_TEXT, SETTINGS_OWN, NULL, NULL, 0, 0, 0, values, def},
#include "base/settings.def"
#undef NUMBER
#undef CHOICE
#undef DURATION
#undef GIVEN
#undef TEXT
};
enum { SETTINGS = sizeof table / sizeof *table };

long settings_value(const struct setting *s)
{
    if (s->job)
        return load_relaxed(s->job);
    return s->value ? *s->value : 0;
}

static void set_value(const struct setting *s, long v)
{
    if (s->job)
        store_relaxed(s->job, v);
    else if (s->value)
        *s->value = v;
}

/* Index of word among "a|b|c", or -1. */
static long choice_index(const char *choices, const char *word)
{
    size_t n = strlen(word);
    for (long i = 0;; i++) {
        size_t len = strcspn(choices, "|");
        if (len == n && strncmp(choices, word, n) == 0)
            return i;
        if (choices[len] == '\0')
            return -1;
        choices += len + 1;
    }
}

/* Milliseconds. */
static bool parse_duration(const char *text, long *v)
{
    static const struct {
        const char *name;
        long ms;
    } units[] = {{"ms", 1}, {"s", 1000}, {"m", 60 * 1000}, {"h", 3600 * 1000}};
    char *end;
    errno = 0;
    long n = strtol(text, &end, 10);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i].name) == 0)
            return !errno && end != text && n > 0 && !__builtin_mul_overflow(n, units[i].ms, v);
    return false;
}

static bool settings_parse(const struct setting *s, const char *text, long *v)
{
    if (s->kind == SETTING_DURATION)
        return parse_duration(text, v);
    if (s->kind == SETTING_CHOICE) {
        *v = choice_index(s->choices, text);
        return *v >= 0;
    }
    char *end;
    errno = 0;
    *v = strtol(text, &end, 10);
    return !errno && end != text && !*end && *v >= s->lowest && *v <= s->highest;
}

const char *settings_environment(const char *name)
{
    return secure_getenv(name);
}

static void read_one(const struct setting *s)
{
    const char *text = settings_environment(s->env);
    long v;
    if (!text)
        return;
    if (s->kind == SETTING_TEXT)
        set_value(s, *text != '\0');
    else if (settings_parse(s, text, &v))
        set_value(s, v);
    else if (s->kind == SETTING_DURATION)
        log_warning("%s=%s is not %s; it has no effect", s->env, text, s->choices);
    else if (s->kind == SETTING_CHOICE)
        log_warning("%s=%s is not one of %s; using the default", s->env, text, s->choices);
    else
        log_warning("%s=%s is not a number in %ld..%ld; using %ld", s->env, text, s->lowest, s->highest,
                    s->def);
}

__attribute__((constructor)) static void settings_read(void)
{
    for (int i = 0; i < SETTINGS; i++)
        read_one(&table[i]);
}

const struct setting *settings_entry(int i)
{
    return i >= 0 && i < SETTINGS ? &table[i] : NULL;
}

enum setting_source settings_source(const struct setting *s)
{
    const char *text = settings_environment(s->env);
    long v;
    if (!text)
        return SETTING_DEFAULT;
    return s->kind == SETTING_TEXT || settings_parse(s, text, &v) ? SETTING_ENVIRONMENT : SETTING_REFUSED;
}

const char *settings_choice(const struct setting *s, long i)
{
    const char *choice = s->choices;
    for (; i > 0; i--)
        choice = strchr(choice, '|') + 1;
    return choice;
}

const char *settings_show(const struct setting *s, long value, char *buffer, size_t room)
{
    const char *choice = s->kind == SETTING_CHOICE ? settings_choice(s, value) : "";
    if (s->kind == SETTING_NUMBER)
        snprintf(buffer, room, "%ld", value);
    else if (s->kind == SETTING_DURATION && value > 0)
        snprintf(buffer, room, value % 1000 ? "%ldms" : "%lds", value % 1000 ? value : value / 1000);
    else if (s->kind == SETTING_CHOICE)
        snprintf(buffer, room, "%.*s", (int)strcspn(choice, "|"), choice);
    else
        snprintf(buffer, room, "%s", s->def_text);
    return buffer;
}

/* ---- agreeing ---- */

/* The next setting from i on that is voted on, NULL behind the last. */
static const struct setting *next_voted(int *i)
{
    while (*i < SETTINGS && table[*i].across == SETTINGS_OWN)
        ++*i;
    return settings_entry((*i)++);
}

void settings_vote(long vote[SETTINGS_VOTES])
{
    const struct setting *s;
    for (int i = 0, n = 0; (s = next_voted(&i)); n++)
        vote[n] = settings_value(s);
}

const struct setting *settings_differ(const long a[SETTINGS_VOTES], const long b[SETTINGS_VOTES],
                                      long value[2])
{
    const struct setting *s;
    for (int i = 0, n = 0; (s = next_voted(&i)); n++) {
        value[0] = a[n];
        value[1] = b[n];
        if (s->across == SETTINGS_SAME && a[n] != b[n])
            return s;
    }
    return NULL;
}

void settings_add_vote(long sum[SETTINGS_VOTES], const long vote[SETTINGS_VOTES])
{
    const struct setting *s;
    for (int i = 0, n = 0; (s = next_voted(&i)); n++)
        if (s->across == SETTINGS_JOB && sum[n] == s->def)
            sum[n] = vote[n];
}

long settings_voted(const long vote[SETTINGS_VOTES], const _Atomic long *field)
{
    const struct setting *s;
    for (int i = 0, n = 0; (s = next_voted(&i)); n++)
        if (s->job == field)
            return vote[n];
    return 0;
}

void settings_adopt(const long vote[SETTINGS_VOTES])
{
    const struct setting *s;
    for (int i = 0, n = 0; (s = next_voted(&i)); n++)
        if (s->across == SETTINGS_JOB && vote[n] != settings_value(s))
            set_value(s, vote[n]);
}
