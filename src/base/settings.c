/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/settings.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

struct settings settings = {
#define NUMBER(field, env, def, lowest, highest, meaning) .field = def,
#define CHOICE(field, env, def, choices, meaning) .field = def,
#define DURATION(field, env, meaning) .field = 0,
#define TEXT(env, values, def, meaning)
#include "base/settings.def"
#undef NUMBER
#undef CHOICE
#undef DURATION
#undef TEXT
};

static const struct setting table[] = {
#define NUMBER(field, env, def, lowest, highest, meaning)                                                    \
    {env, meaning, SETTING_NUMBER, &settings.field, def, lowest, highest, NULL, NULL},
#define CHOICE(field, env, def, choices, meaning)                                                            \
    {env, meaning, SETTING_CHOICE, &settings.field, def, 0, 0, choices, NULL},
#define DURATION(field, env, meaning)                                                                        \
    {env, meaning, SETTING_DURATION, &settings.field, 0, 0, LONG_MAX, "a number with ms, s, m or h", "off"},
#define TEXT(env, values, def, meaning) {env, meaning, SETTING_TEXT, NULL, 0, 0, 0, values, def},
#include "base/settings.def"
#undef NUMBER
#undef CHOICE
#undef DURATION
#undef TEXT
};
enum { SETTINGS = sizeof table / sizeof *table };

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

static bool parse(const struct setting *s, const char *text, long *v)
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
    const char *text = s->kind == SETTING_TEXT ? NULL : settings_environment(s->env);
    long v;
    if (!text)
        return;
    if (parse(s, text, &v))
        *s->value = v;
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
    return s->kind == SETTING_TEXT || parse(s, text, &v) ? SETTING_ENVIRONMENT : SETTING_REFUSED;
}

const char *settings_choice(const struct setting *s, long i)
{
    const char *choice = s->choices;
    for (; i > 0; i--)
        choice = strchr(choice, '|') + 1;
    return choice;
}
