/* SPDX-License-Identifier: BSD-3-Clause */
/* getopt, as glibc has it, whose own keeps its place where nobody can reach it: operands are moved to the end
 * unless asked otherwise, long names may be abbreviated. */
#include <getopt.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/image.h"

WEAK char *optarg;
WEAK int optind = 1, opterr = 1, optopt = '?';

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
static struct {
    bool started;
    enum { PERMUTE, STOP_AT_OPERAND, IN_ORDER } order;
    char *next;      /* in a group of letters; NULL: at a new argument */
    int first, last; /* operands that were passed over: [first, last) */
} scan;

/* What tells the program what is wrong: optopt, '?'. */
__attribute__((format(printf, 3, 4))) static int getopt_complain(const struct getopt_call *c, int option,
                                                                 const char *format, ...)
{
    va_list args;
    optopt = option;
    if (c->messages) {
        va_start(args, format);
        flockfile(stderr);
        fprintf(stderr, "%s: ", c->argv[0]);
        vfprintf(stderr, format, args);
        funlockfile(stderr);
        va_end(args);
    }
    return '?';
}

/* The same where an argument is missing. */
static int getopt_missing(const struct getopt_call *c)
{
    return c->letters[0] == ':' ? ':' : '?';
}

/* ---- the next argument ---- */

static bool is_operand(const char *argument)
{
    return argument[0] != '-' || argument[1] == '\0';
}

static void reverse(char **from, char **to)
{
    while (from < --to) {
        char *swap = *from;
        *from++ = *to;
        *to = swap;
    }
}

/* Puts the operands that were passed over, if any, behind the options that came after them. */
static void getopt_exchange(char **argv)
{
    reverse(argv + scan.first, argv + scan.last);
    reverse(argv + scan.last, argv + optind);
    reverse(argv + scan.first, argv + optind);
    scan.first += optind - scan.last;
    scan.last = optind;
}

static void getopt_start(const struct getopt_call *c)
{
    if (optind == 0)
        optind = 1;
    scan = (__typeof__(scan)){.started = true, .first = optind, .last = optind};
    if (c->letters[0] == '-')
        scan.order = IN_ORDER;
    else if (c->letters[0] == '+' || c->strict || getenv("POSIXLY_CORRECT"))
        scan.order = STOP_AT_OPERAND;
}

/* Behind operands, if they may be passed over, and behind "--". True: no option follows. */
static bool at_end(const struct getopt_call *c)
{
    if (scan.last > optind)
        scan.last = optind;
    if (scan.first > optind)
        scan.first = optind;
    if (scan.order == PERMUTE) {
        getopt_exchange(c->argv);
        while (optind < c->argc && is_operand(c->argv[optind]))
            optind++;
        scan.last = optind;
    }
    if (optind != c->argc && strcmp(c->argv[optind], "--") == 0) {
        optind++;
        getopt_exchange(c->argv);
        scan.last = optind = c->argc;
    }
    if (optind != c->argc)
        return false;
    if (scan.first != scan.last)
        optind = scan.first;
    return true;
}

/* ---- names ---- */

static bool mean_the_same(const struct option *a, const struct option *b)
{
    return a->has_arg == b->has_arg && a->flag == b->flag && a->val == b->val;
}

/* The one with that name, or the first whose name begins so; *ambiguous: others do, and mean something
 * else. */
static const struct option *getopt_find(const struct getopt_call *c, const char *name, size_t length,
                                        bool long_only, bool *ambiguous)
{
    const struct option *found = NULL;
    *ambiguous = false;
    for (const struct option *o = c->names; o->name; o++) {
        if (strncmp(o->name, name, length) != 0)
            continue;
        if (o->name[length] == '\0') {
            *ambiguous = false;
            return o;
        }
        *ambiguous |= found && (long_only || !mean_the_same(found, o));
        found = found ? found : o;
    }
    return found;
}

static int refuse_ambiguous(const struct getopt_call *c, const struct option *first, const char *name,
                            size_t length, bool long_only, const char *prefix)
{
    flockfile(stderr);
    getopt_complain(c, 0, "option '%s%s' is ambiguous; possibilities:", prefix, name);
    for (const struct option *o = first; c->messages && o->name; o++)
        if (strncmp(o->name, name, length) == 0 && (o == first || long_only || !mean_the_same(first, o)))
            fprintf(stderr, " '%s%s'", prefix, o->name);
    if (c->messages)
        fputc('\n', stderr);
    funlockfile(stderr);
    return '?';
}

static int getopt_take_name(const struct getopt_call *c, const struct option *o, char *value,
                            const char *prefix)
{
    if (value && o->has_arg == no_argument)
        return getopt_complain(c, o->val, "option '%s%s' doesn't allow an argument\n", prefix, o->name);
    if (!value && o->has_arg == required_argument) {
        if (optind == c->argc) {
            getopt_complain(c, o->val, "option '%s%s' requires an argument\n", prefix, o->name);
            return getopt_missing(c);
        }
        value = c->argv[optind++];
    }
    if (value)
        optarg = value;
    if (c->index)
        *c->index = (int)(o - c->names);
    if (!o->flag)
        return o->val;
    *o->flag = o->val;
    return 0;
}

/* The option whose name begins at scan.next; prefix is what introduced it ("--", "-", "-W "). -1: none, and
 * letters may be meant. */
static int scan_name(const struct getopt_call *c, bool long_only, const char *prefix)
{
    char *name = scan.next;
    size_t length = strcspn(name, "=");
    bool ambiguous;
    const struct option *o = getopt_find(c, name, length, long_only, &ambiguous);
    if (!o && long_only && c->argv[optind][1] != '-' && strchr(c->letters, *name))
        return -1;
    scan.next = NULL;
    optind++;
    if (ambiguous)
        return refuse_ambiguous(c, o, name, length, long_only, prefix);
    if (o)
        return getopt_take_name(c, o, name[length] ? name + length + 1 : NULL, prefix);
    return getopt_complain(c, 0, "unrecognized option '%s%s'\n", prefix, name);
}

/* ---- letters ---- */

static int without_argument(const struct getopt_call *c, int letter)
{
    getopt_complain(c, letter, "option requires an argument -- '%c'\n", letter);
    return getopt_missing(c);
}

/* "W;": -W name is --name. */
static int named_by_w(const struct getopt_call *c)
{
    if (*scan.next == '\0') {
        if (optind == c->argc)
            return without_argument(c, 'W');
        scan.next = c->argv[optind];
    }
    return scan_name(c, false, "-W ");
}

static int scan_letter(const struct getopt_call *c)
{
    int found = *scan.next++;
    const char *known = strchr(c->letters, found);
    if (*scan.next == '\0')
        optind++;
    if (!known || found == ':' || found == ';')
        return getopt_complain(c, found, "invalid option -- '%c'\n", found);
    if (known[0] == 'W' && known[1] == ';' && c->names)
        return named_by_w(c);
    if (known[1] != ':')
        return found;
    if (*scan.next != '\0') {
        optarg = scan.next;
        optind++;
    } else if (known[2] != ':') {
        if (optind == c->argc)
            found = without_argument(c, found);
        else
            optarg = c->argv[optind++];
    }
    scan.next = NULL;
    return found;
}

static int scan_next(struct getopt_call c)
{
    if (c.argc < 1)
        return -1;
    optarg = NULL;
    if (optind == 0 || !scan.started)
        getopt_start(&c);
    c.letters += c.letters[0] == '-' || c.letters[0] == '+';
    c.messages = opterr && c.letters[0] != ':';
    if (scan.next && *scan.next)
        return scan_letter(&c);
    if (at_end(&c))
        return -1;
    char *argument = c.argv[optind];
    if (is_operand(argument)) {
        if (scan.order == STOP_AT_OPERAND)
            return -1;
        optarg = c.argv[optind++];
        return 1;
    }
    scan.next = argument + 1;
    if (c.names && argument[1] == '-') {
        scan.next++;
        return scan_name(&c, c.long_only, "--");
    }
    if (c.names && c.long_only && (argument[2] || !strchr(c.letters, argument[1]))) {
        int found = scan_name(&c, true, "-");
        if (found != -1)
            return found;
    }
    return scan_letter(&c);
}

/* ---- libc's names ---- */

WEAK int getopt(int argc, char *const argv[], const char *letters)
{
    return scan_next((struct getopt_call){.argc = argc, .argv = (char **)argv, .letters = letters});
}

/* getopt of a program that is compiled for POSIX without extensions. */
int __posix_getopt(int argc, char *const argv[], const char *letters);
WEAK int __posix_getopt(int argc, char *const argv[], const char *letters)
{
    return scan_next(
        (struct getopt_call){.argc = argc, .argv = (char **)argv, .letters = letters, .strict = true});
}

WEAK int getopt_long(int argc, char *const argv[], const char *letters, const struct option *names,
                     int *index)
{
    return scan_next((struct getopt_call){
        .argc = argc, .argv = (char **)argv, .letters = letters, .names = names, .index = index});
}

WEAK int getopt_long_only(int argc, char *const argv[], const char *letters, const struct option *names,
                          int *index)
{
    struct getopt_call c = {argc, (char **)argv, letters, names, index, .long_only = true};
    return scan_next(c);
}
