/* SPDX-License-Identifier: BSD-3-Clause */
/* wrong.h: what follows a wrong call. */
#ifndef EP_TEST_WRONG_H
#define EP_TEST_WRONG_H

#include "share.h"

/* The text of the error that was just returned begins with the call and the endpoint, and has this part. */
void expect_text(const team_t *t, int rc, const char *call, const char *part);

/* A wrong call, written as a call, returns the class with such a text. */
#define WRONG(t, call, want, part) expect_wrong(t, call, want, part, #call, __FILE__, __LINE__)
void expect_wrong(const team_t *t, int rc, int want, const char *part, const char *text, const char *file,
                  int line);

/* All kinds of epochs work, with near and far targets. Collective; memory of 64 bytes is 0 before and after. */
void expect_works(team_t *t, share *a);

#endif
