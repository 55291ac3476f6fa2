/* SPDX-License-Identifier: BSD-3-Clause */
/* getopt's options with names. */
#include <stdio.h>
#include <string.h>

#include "image/image.h"
#include "image/options.h"

static bool getopt_long_differ(const struct option *a, const struct option *b)
{
    return a->has_arg != b->has_arg || a->flag != b->flag || a->val != b->val;
}

static const struct option *getopt_long_exact(const struct getopt_call *c, const char *name, size_t length)
{
    for (const struct option *o = c->names; o->name; o++)
        if (strncmp(o->name, name, length) == 0 && strlen(o->name) == length)
            return o;
    return NULL;
}

/* The one whose name begins so; of several that mean the same, the first. */
static const struct option *getopt_long_abbreviated(const struct getopt_call *c, const char *name,
                                                    size_t length, bool long_only, bool *ambiguous)
{
    const struct option *found = NULL;
    for (const struct option *o = c->names; o->name; o++) {
        if (strncmp(o->name, name, length) != 0)
            continue;
        if (!found)
            found = o;
        else if (long_only || getopt_long_differ(found, o))
            *ambiguous = true;
    }
    return found;
}

static void name_possibilities(const struct getopt_call *c, const char *name, size_t length, bool long_only,
                               const char *prefix)
{
    const struct option *found = NULL;
    flockfile(stderr);
    fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", c->argv[0], prefix, name);
    for (const struct option *o = c->names; o->name; o++) {
        if (strncmp(o->name, name, length) != 0)
            continue;
        if (!found || long_only || getopt_long_differ(found, o))
            fprintf(stderr, " '%s%s'", prefix, o->name);
        if (!found)
            found = o;
    }
    fprintf(stderr, "\n");
    funlockfile(stderr);
}

/* The scan goes on behind the argument; optopt and '?' tell the program what was wrong. */
static int getopt_long_refused(int option)
{
    ep_getopt_state.next = NULL;
    optind++;
    optopt = option;
    return '?';
}

static int getopt_long_take(const struct getopt_call *c, const struct option *o, char *value,
                            const char *prefix)
{
    ep_getopt_state.next = NULL;
    optind++;
    if (value && o->has_arg == no_argument) {
        if (c->messages)
            fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", c->argv[0], prefix, o->name);
        optopt = o->val;
        return '?';
    }
    if (value) {
        optarg = value;
    } else if (o->has_arg == required_argument && optind < c->argc) {
        optarg = c->argv[optind++];
    } else if (o->has_arg == required_argument) {
        if (c->messages)
            fprintf(stderr, "%s: option '%s%s' requires an argument\n", c->argv[0], prefix, o->name);
        optopt = o->val;
        return missing_argument(c);
    }
    if (c->index)
        *c->index = (int)(o - c->names);
    if (!o->flag)
        return o->val;
    *o->flag = o->val;
    return 0;
}

int ep_getopt_name(const struct getopt_call *c, bool long_only, const char *prefix)
{
    char *name = ep_getopt_state.next;
    size_t length = strcspn(name, "=");
    bool ambiguous = false;
    const struct option *o = getopt_long_exact(c, name, length);
    if (!o)
        o = getopt_long_abbreviated(c, name, length, long_only, &ambiguous);
    if (ambiguous) {
        if (c->messages)
            name_possibilities(c, name, length, long_only, prefix);
        return getopt_long_refused(0);
    }
    if (o)
        return getopt_long_take(c, o, name[length] ? name + length + 1 : NULL, prefix);
    if (long_only && c->argv[optind][1] != '-' && strchr(c->letters, *name))
        return -1;
    if (c->messages)
        fprintf(stderr, "%s: unrecognized option '%s%s'\n", c->argv[0], prefix, name);
    return getopt_long_refused(0);
}
