/* SPDX-License-Identifier: BSD-3-Clause */
#include "eprun/stateful.h"

#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { PRIVATE, NEVER, SAFE };

static const struct {
    enum kind kind;
    const char *pattern;
} libraries[] = {
#define LIBRARY(kind, pattern, why) {kind, pattern},
#include "eprun/libraries.def"
#undef LIBRARY
};

/* libx, libx.so.1 or a pattern; for libx.so.1.2 likewise. */
static bool stateful_matches(const char *pattern, const char *name)
{
    size_t n = strlen(pattern);
    return (strncmp(name, pattern, n) == 0 && (name[n] == 0 || name[n] == '.')) ||
           fnmatch(pattern, name, 0) == 0;
}

/* A word of the option: a path where it has a slash. */
static bool stateful_means(const char *word, const char *name, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!strchr(word, '/'))
        return stateful_matches(word, name) || stateful_matches(word, slash ? slash + 1 : path);
    char *real = realpath(word, NULL);
    bool same = real && strcmp(real, path) == 0;
    free(real);
    return same;
}

bool stateful_is(const struct options *o, const char *name, const char *path)
{
    bool ask_known = true;
    for (const char *at = o->private_libraries; at && *at;) {
        char word[PATH_MAX];
        int n = (int)strcspn(at, ", ");
        snprintf(word, sizeof word, "%.*s", n, at);
        if (strcmp(word, "none") == 0)
            ask_known = false;
        else if (n > 0 && stateful_means(word, name, path))
            return true;
        at += n + (at[n] != 0);
    }
    /* Versions of them that call MPI cannot be copied and are not (object.c). */
    for (size_t i = 0; ask_known && i < sizeof libraries / sizeof *libraries; i++) {
        if (libraries[i].kind == PRIVATE && stateful_means(libraries[i].pattern, name, path))
            return true;
    }
    return false;
}

bool stateful_never(const char *name)
{
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        if (libraries[i].kind == NEVER && stateful_matches(libraries[i].pattern, name))
            return true;
    }
    return false;
}
