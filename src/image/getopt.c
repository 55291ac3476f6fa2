/* SPDX-License-Identifier: BSD-3-Clause */
/* getopt, as glibc has it: operands are moved to the end unless asked otherwise. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/image.h"
#include "image/options.h"

WEAK char *optarg;
WEAK int optind = 1, opterr = 1, optopt = '?';

struct getopt_state ep_getopt_state;

static void getopt_reverse(char **from, char **to)
{
    while (from < --to) {
        char *swap = *from;
        *from++ = *to;
        *to = swap;
    }
}

/* Puts the operands that were passed over behind the options that came after them. */
static void getopt_exchange(char **argv)
{
    struct getopt_state *s = &ep_getopt_state;
    getopt_reverse(argv + s->first, argv + s->last);
    getopt_reverse(argv + s->last, argv + optind);
    getopt_reverse(argv + s->first, argv + optind);
    s->first += optind - s->last;
    s->last = optind;
}

static bool is_operand(const char *argument)
{
    return argument[0] != '-' || argument[1] == '\0';
}

static void getopt_start(const struct getopt_call *c)
{
    struct getopt_state *s = &ep_getopt_state;
    if (optind == 0)
        optind = 1;
    *s = (struct getopt_state){.started = true, .first = optind, .last = optind};
    if (c->letters[0] == '-')
        s->order = IN_ORDER;
    else if (c->letters[0] == '+' || c->strict || getenv("POSIXLY_CORRECT"))
        s->order = STOP_AT_OPERAND;
}

/* Behind operands, if they may be passed over, and behind "--". True: no option follows. */
static bool at_end(const struct getopt_call *c)
{
    struct getopt_state *s = &ep_getopt_state;
    if (s->last > optind)
        s->last = optind;
    if (s->first > optind)
        s->first = optind;
    if (s->order == PERMUTE) {
        if (s->first != s->last && s->last != optind)
            getopt_exchange(c->argv);
        else if (s->last != optind)
            s->first = optind;
        while (optind < c->argc && is_operand(c->argv[optind]))
            optind++;
        s->last = optind;
    }
    if (optind != c->argc && strcmp(c->argv[optind], "--") == 0) {
        optind++;
        if (s->first != s->last && s->last != optind)
            getopt_exchange(c->argv);
        else if (s->first == s->last)
            s->first = optind;
        s->last = optind = c->argc;
    }
    if (optind != c->argc)
        return false;
    if (s->first != s->last)
        optind = s->first;
    return true;
}

static int without_argument(const struct getopt_call *c, int letter)
{
    if (c->messages)
        fprintf(stderr, "%s: option requires an argument -- '%c'\n", c->argv[0], letter);
    optopt = letter;
    return missing_argument(c);
}

/* "W;": -W name is --name. */
static int named_by_w(const struct getopt_call *c)
{
    struct getopt_state *s = &ep_getopt_state;
    if (*s->next == '\0') {
        if (optind == c->argc)
            return without_argument(c, 'W');
        s->next = c->argv[optind];
    }
    return ep_getopt_name(c, false, "-W ");
}

static int getopt_letter(const struct getopt_call *c)
{
    struct getopt_state *s = &ep_getopt_state;
    int found = *s->next++;
    const char *known = strchr(c->letters, found);
    if (*s->next == '\0')
        optind++;
    if (!known || found == ':' || found == ';') {
        if (c->messages)
            fprintf(stderr, "%s: invalid option -- '%c'\n", c->argv[0], found);
        optopt = found;
        return '?';
    }
    if (known[0] == 'W' && known[1] == ';' && c->names)
        return named_by_w(c);
    if (known[1] != ':')
        return found;
    bool optional = known[2] == ':', joined = *s->next != '\0';
    if (joined) {
        optarg = s->next;
        optind++;
    } else if (!optional && optind == c->argc) {
        found = without_argument(c, found);
    } else if (!optional) {
        optarg = c->argv[optind++];
    }
    s->next = NULL;
    return found;
}

static int getopt_scan(struct getopt_call c)
{
    struct getopt_state *s = &ep_getopt_state;
    if (c.argc < 1)
        return -1;
    optarg = NULL;
    if (optind == 0 || !s->started)
        getopt_start(&c);
    if (c.letters[0] == '-' || c.letters[0] == '+')
        c.letters++;
    c.messages = opterr && c.letters[0] != ':';
    if (s->next && *s->next)
        return getopt_letter(&c);
    if (at_end(&c))
        return -1;
    char *argument = c.argv[optind];
    if (is_operand(argument)) {
        if (s->order == STOP_AT_OPERAND)
            return -1;
        optarg = c.argv[optind++];
        return 1;
    }
    s->next = argument + 1;
    if (c.names && argument[1] == '-') {
        s->next++;
        return ep_getopt_name(&c, c.long_only, "--");
    }
    if (c.names && c.long_only && (argument[2] || !strchr(c.letters, argument[1]))) {
        int found = ep_getopt_name(&c, true, "-");
        if (found != -1)
            return found;
    }
    return getopt_letter(&c);
}

WEAK int getopt(int argc, char *const argv[], const char *letters)
{
    return getopt_scan((struct getopt_call){.argc = argc, .argv = (char **)argv, .letters = letters});
}

/* getopt of a program that is compiled for POSIX without extensions. */
int __posix_getopt(int argc, char *const argv[], const char *letters);
WEAK int __posix_getopt(int argc, char *const argv[], const char *letters)
{
    return getopt_scan(
        (struct getopt_call){.argc = argc, .argv = (char **)argv, .letters = letters, .strict = true});
}

WEAK int getopt_long(int argc, char *const argv[], const char *letters, const struct option *names,
                     int *index)
{
    return getopt_scan((struct getopt_call){
        .argc = argc, .argv = (char **)argv, .letters = letters, .names = names, .index = index});
}

WEAK int getopt_long_only(int argc, char *const argv[], const char *letters, const struct option *names,
                          int *index)
{
    return getopt_scan((struct getopt_call){.argc = argc,
                                            .argv = (char **)argv,
                                            .letters = letters,
                                            .names = names,
                                            .index = index,
                                            .long_only = true});
}
