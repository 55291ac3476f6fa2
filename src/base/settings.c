/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/settings.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

struct setting {
    long *value;
    const char *env;
    long def, lowest, highest;
    const char *choices; /* NULL for a number */
};

struct settings settings = {
#define NUMBER(field, env, def, lowest, highest, meaning) .field = def,
#define CHOICE(field, env, def, choices, meaning) .field = def,
#include "base/settings.def"
#undef NUMBER
#undef CHOICE
};

static const struct setting table[] = {
#define NUMBER(field, env, def, lowest, highest, meaning) {&settings.field, env, def, lowest, highest, NULL},
#define CHOICE(field, env, def, choices, meaning) {&settings.field, env, def, 0, 0, choices},
#include "base/settings.def"
#undef NUMBER
#undef CHOICE
};

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

static bool parse(const struct setting *s, const char *text)
{
    long v;
    if (s->choices) {
        v = choice_index(s->choices, text);
        if (v < 0)
            return false;
    } else {
        char *end;
        errno = 0;
        v = strtol(text, &end, 10);
        if (errno || end == text || *end || v < s->lowest || v > s->highest)
            return false;
    }
    *s->value = v;
    return true;
}

__attribute__((constructor)) static void settings_read(void)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const char *text = getenv(table[i].env);
        if (!text || parse(&table[i], text))
            continue;
        if (table[i].choices)
            log_warning("%s=%s is not one of %s; using the default", table[i].env, text, table[i].choices);
        else
            log_warning("%s=%s is not a number in %ld..%ld; using %ld", table[i].env, text, table[i].lowest,
                        table[i].highest, table[i].def);
    }
}
