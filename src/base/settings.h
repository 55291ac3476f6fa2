/* SPDX-License-Identifier: BSD-3-Clause */
/* EP_* environment settings, read once when the library is loaded. */
#ifndef EP_BASE_SETTINGS_H
#define EP_BASE_SETTINGS_H

#include <stddef.h>

enum wait_setting { WAIT_AUTO, WAIT_SPIN, WAIT_YIELD, WAIT_SLEEP };
enum rma_setting { RMA_AUTO, RMA_NATIVE, RMA_AM };

/*
 * What holds where processes have different values. They see that when they make endpoints together, before anything
 * depends on it (comm/create.c).
 *   OWN   each has its own
 *   JOB   another value than the default counts for all of them from then on: that of the first process which has one
 *   SAME  an error
 * So fields of JOB may change while other threads read them.
 */
enum settings_across { SETTINGS_OWN, SETTINGS_JOB, SETTINGS_SAME };
#define SETTINGS_FIELD_OWN long
#define SETTINGS_FIELD_JOB _Atomic long
#define SETTINGS_FIELD_SAME long

struct settings {
#define NUMBER(field, env, across, def, lowest, highest, meaning) SETTINGS_FIELD_##across field;
#define CHOICE(field, env, across, def, choices, meaning) SETTINGS_FIELD_##across field;
#define DURATION(field, env, across, meaning) SETTINGS_FIELD_##across field;
#define GIVEN(field, env, across, values, def, meaning) SETTINGS_FIELD_##across field;
#define TEXT(env, values, def, meaning)
#include "base/settings.def"
#undef NUMBER
#undef CHOICE
#undef DURATION
#undef GIVEN
#undef TEXT
};

extern struct settings settings __attribute__((visibility("hidden")));

/* What the environment says; NULL: nothing, or the program runs with more rights than whoever started it (set-uid and its
 * like), who must not direct it then. Everything in ep that looks at the environment asks here. */
const char *settings_environment(const char *name);

/* ---- the table, for those that show it ---- */

enum setting_kind { SETTING_NUMBER, SETTING_CHOICE, SETTING_DURATION, SETTING_TEXT };
enum setting_source { SETTING_DEFAULT, SETTING_ENVIRONMENT, SETTING_REFUSED };

struct setting {
    const char *env, *meaning;
    enum setting_kind kind;
    enum settings_across across;
    long *value;               /* present, of OWN and SAME; NULL: a text, or */
    _Atomic long *job;         /* of JOB; relaxed */
    long def, lowest, highest; /* of a choice: index */
    const char *choices;       /* "a|b|c"; of a duration or text what it may be */
    const char *def_text;      /* of a text */
};

/* Present; of a text that has one: is it given? */
long settings_value(const struct setting *s);
/* A value of s as the user writes it; not of a text. */
const char *settings_show(const struct setting *s, long value, char *buffer, size_t room);

/* ---- agreeing ---- */

#define SETTINGS_VOTES_OWN 0
#define SETTINGS_VOTES_JOB 1
#define SETTINGS_VOTES_SAME 1
enum {
    SETTINGS_VOTES = 0
#define NUMBER(field, env, across, def, lowest, highest, meaning) +SETTINGS_VOTES_##across
#define CHOICE(field, env, across, def, choices, meaning) +SETTINGS_VOTES_##across
#define DURATION(field, env, across, meaning) +SETTINGS_VOTES_##across
#define GIVEN(field, env, across, values, def, meaning) +SETTINGS_VOTES_##across
#define TEXT(env, values, def, meaning)
#include "base/settings.def"
#undef NUMBER
#undef CHOICE
#undef DURATION
#undef GIVEN
#undef TEXT
};
/* What this process has, of all settings that are not OWN. */
void settings_vote(long vote[SETTINGS_VOTES]);
/* The first SAME setting in which two votes differ, and its values; or NULL. */
const struct setting *settings_differ(const long a[SETTINGS_VOTES], const long b[SETTINGS_VOTES],
                                      long value[2]);
/* Another process's vote; the first one's before the second's: what is JOB and has its default in `sum` is taken over. */
void settings_add_vote(long sum[SETTINGS_VOTES], const long vote[SETTINGS_VOTES]);
/* What a vote says of the JOB setting with this field. */
long settings_voted(const long vote[SETTINGS_VOTES], const _Atomic long *field);
/* What is JOB is so in this process from now on. */
void settings_adopt(const long vote[SETTINGS_VOTES]);

/* Entry i, NULL behind the last. */
const struct setting *settings_entry(int i);
/* Is the value the default's, the environment's, or the default's because the environment's is not possible? */
enum setting_source settings_source(const struct setting *s);
/* Choice number i of s; it ends at '|' or at the end. */
const char *settings_choice(const struct setting *s, long i);

#endif
