/* SPDX-License-Identifier: BSD-3-Clause */
/* EP_* environment settings, read once when the library is loaded. */
#ifndef EP_BASE_SETTINGS_H
#define EP_BASE_SETTINGS_H

enum wait_setting { WAIT_AUTO, WAIT_SPIN, WAIT_YIELD, WAIT_SLEEP };
enum rma_setting { RMA_AUTO, RMA_NATIVE, RMA_AM };

struct settings {
#define NUMBER(field, env, def, lowest, highest, meaning) long field;
#define CHOICE(field, env, def, choices, meaning) long field;
#define DURATION(field, env, meaning) long field;
#define TEXT(env, values, def, meaning)
#include "base/settings.def"
#undef NUMBER
#undef CHOICE
#undef DURATION
#undef TEXT
};

extern struct settings settings;

/* What the environment says; NULL: nothing, or the program runs with more rights than whoever started it (set-uid and its
 * like), who must not direct it then. Everything in ep that looks at the environment asks here. */
const char *settings_environment(const char *name);

/* ---- the table, for those that show it ---- */

enum setting_kind { SETTING_NUMBER, SETTING_CHOICE, SETTING_DURATION, SETTING_TEXT };
enum setting_source { SETTING_DEFAULT, SETTING_ENVIRONMENT, SETTING_REFUSED };

struct setting {
    const char *env, *meaning;
    enum setting_kind kind;
    long *value;               /* present; NULL for a text */
    long def, lowest, highest; /* of a choice: index */
    const char *choices;       /* "a|b|c"; of a duration or text what it may be */
    const char *def_text;      /* of a text */
};

/* Entry i, NULL behind the last. */
const struct setting *settings_entry(int i);
/* Is the value the default's, the environment's, or the default's because the environment's is not possible? */
enum setting_source settings_source(const struct setting *s);
/* Choice number i of s; it ends at '|' or at the end. */
const char *settings_choice(const struct setting *s, long i);

#endif
