/* SPDX-License-Identifier: BSD-3-Clause */
/* EP_* environment settings, read once when the library is loaded. */
#ifndef EP_BASE_SETTINGS_H
#define EP_BASE_SETTINGS_H

enum wait_setting { WAIT_AUTO, WAIT_SPIN, WAIT_YIELD, WAIT_SLEEP };
enum rma_setting { RMA_AUTO, RMA_NATIVE, RMA_AM };

struct settings {
#define NUMBER(field, env, def, lowest, highest, meaning) long field;
#define CHOICE(field, env, def, choices, meaning) long field;
#include "base/settings.def"
#undef NUMBER
#undef CHOICE
};

extern struct settings settings;

#endif
