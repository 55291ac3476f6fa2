/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The endpoints of a process came to one call of a whole communicator from different functions, which is an error of the
 * program. None of them can act for the others, so nobody's function goes on. The process takes part in the exchange
 * as one that has an error, so that all other processes stop there, too; then everybody here is told who called what.
 */
#ifndef EP_DERIVE_DISCORD_H
#define EP_DERIVE_DISCORD_H

#include "derive/leaders.h"

struct discord {
    struct work work;
    struct gather *gather;
    struct leaders leaders;
    bool goes_down;
};

/* All have come to m, and it is mixed: a work of the endpoint at position 0. d must stay where it is until the caller's own
 * slot is released. */
void discord_begin(struct discord *d, struct gather *m);

#endif
