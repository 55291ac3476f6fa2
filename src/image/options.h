/* SPDX-License-Identifier: BSD-3-Clause */
/* getopt: what its two halves share. */
#ifndef EP_IMAGE_OPTIONS_H
#define EP_IMAGE_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>

/* One call. */
struct getopt_call {
    int argc;
    char **argv;
    const char *letters; /* without what says the order */
    const struct option *names;
    int *index;
    bool long_only;
    bool strict;   /* no permutation: a program that asked for POSIX alone */
    bool messages; /* to stderr */
};

/* Where the scan is; optind is the other part of it. */
struct getopt_state {
    bool started;
    enum { PERMUTE, STOP_AT_OPERAND, IN_ORDER } order;
    char *next;      /* in a group of letters; NULL: at a new argument */
    int first, last; /* operands that were passed over: [first, last) */
};

extern struct getopt_state ep_getopt_state;

/* The option whose name begins at the state's next; prefix is what introduced it ("--", "-", "-W "). -1: none, and
 * letters may be meant. */
int ep_getopt_name(const struct getopt_call *c, bool long_only, const char *prefix);

/* What a missing argument returns. */
static inline int missing_argument(const struct getopt_call *c)
{
    return c->letters[0] == ':' ? ':' : '?';
}

#endif
