/* SPDX-License-Identifier: BSD-3-Clause */
/* place.h: files for tests, in a folder of their own. */
#ifndef EP_TEST_PLACE_H
#define EP_TEST_PLACE_H

#include "harness.h"

enum { PLACE = 256 };

/* The name of a file that does not exist, the same in all endpoints of t, in a new folder. Collective. */
void place_make(team_t *t, char name[PLACE]);
/* The file and its folder go; the file may be gone already. Collective. */
void place_free(team_t *t, const char name[PLACE]);

/* Opened by all, for reading and writing, with these hints ("key=value key=value"; NULL: none). EP_FILE_NULL
 * if it failed. */
ep_file place_open(team_t *t, const char *name, int amode, const char *hints);

/* The file's bytes from `at` on, without MPI; zeros behind its end. */
void place_read(const char *name, void *buf, size_t n, long long at);

/* The call failed with this class, and its text has the name of the call, the endpoint, and this part. */
int refused(team_t *t, int rc, int want, const char *call, const char *part);

#endif
