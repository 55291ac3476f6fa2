/* SPDX-License-Identifier: BSD-3-Clause */
/* tables_doc settings|counters|locks|waiting [FILE]: prints docs/settings.md, counters.md, locks.md or waiting.md from the tables of src/base; given
 * a file's name, tells whether that file is the same. */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* ---- settings ---- */

#define OWN "its own"
#define JOB "for all"
#define SAME "the same"

static void number(FILE *f, const char *env, const char *across, long def, long lowest, long highest,
                   const char *meaning)
{
    fprintf(f, "| `%s` | %ld or more", env, lowest);
    if (highest < LONG_MAX)
        fprintf(f, ", at most %ld", highest);
    fprintf(f, " | %ld | %s | %s |\n", def, across, meaning);
}

static void choice(FILE *f, const char *env, const char *across, int def, const char *choices,
                   const char *meaning)
{
    const char *chosen = choices;
    for (int i = 0; i < def; i++)
        chosen = strchr(chosen, '|') + 1;
    fprintf(f, "| `%s` | ", env);
    for (const char *c = choices; *c; c++)
        fputs(*c == '|' ? ", " : (char[]){*c, '\0'}, f);
    fprintf(f, " | %.*s | %s | %s |\n", (int)strcspn(chosen, "|"), chosen, across, meaning);
}

static void text(FILE *f, const char *env, const char *across, const char *values, const char *def,
                 const char *meaning)
{
    fprintf(f, "| `%s` | %s | %s | %s | %s |\n", env, values, def, across, meaning);
}

static void print_settings(FILE *f)
{
    fputs(
        "# Settings\n\n"
        "Environment variables, read once when the library is loaded. A value that is not one of the possible\n"
        "ones gives a warning and the default. `ep_info` shows the present values. Made from\n"
        "`src/base/settings.def` by `tools/tables_doc.c`.\n\n"
        "Processes of a job may have different values. What that means is seen when they make endpoints\n"
        "together: each has *its own*; or another value than the default in one of them counts *for all* (that\n"
        "of the first process which has one); or it has to be *the same*, and is an error that names two\n"
        "processes and their values otherwise.\n\n"
        "| variable | values | default | processes | meaning |\n|---|---|---|---|---|\n",
        f);
#define NUMBER(field, env, across, def, lowest, highest, meaning)                                            \
    number(f, env, across, def, lowest, highest, meaning);
#define CHOICE(field, env, across, def, choices, meaning) choice(f, env, across, def, choices, meaning);
#define DURATION(field, env, across, meaning)                                                                \
    text(f, env, across, "a number with `ms`, `s`, `m` or `h`", "off", meaning);
#define GIVEN(field, env, across, values, def, meaning) text(f, env, across, values, def, meaning);
#define TEXT(env, values, def, meaning) text(f, env, OWN, values, def, meaning);
#include "base/settings.def"
#undef NUMBER
#undef CHOICE
#undef DURATION
#undef GIVEN
#undef TEXT
}

/* ---- counters ---- */

static void counter(FILE *f, const char *name, const char *kind, const char *unit, const char *meaning)
{
    fprintf(f, "| `%s` | ", name);
    for (; *kind; kind++)
        fputc(tolower((unsigned char)*kind), f);
    fprintf(f, " | %s | %s |\n", unit, meaning);
}

static void print_counters(FILE *f)
{
    fputs(
        "# Counters\n\n"
        "What is counted for each endpoint, always. A program reads its own with `ep_counter_read`\n"
        "([ep_counter.h](../include/ep/ep_counter.h)); `EP_STATS=1` prints a table of all endpoints at the end.\n"
        "Kinds: a count only grows, a level is what there is now, a peak the highest level so far. Made from\n"
        "`src/base/counters.def` by `tools/tables_doc.c`.\n\n"
        "| counter | kind | unit | meaning |\n|---|---|---|---|\n",
        f);
#define COUNTER(name, kind, unit, meaning) counter(f, #name, #kind, unit, meaning);
#include "base/counters.def"
#undef COUNTER
    fputs(
        "\nMessages are counted where they begin (`sent_*`) and where they are received (`received_*`), so that\n"
        "the sums over all endpoints are equal when nothing is on its way or was cancelled. A message that is\n"
        "received without `unexpected` being counted found its receive posted. Data of near messages that are\n"
        "not among `lent` travel inside the inbox. Waiting is counted where a call waits for a message or a larger\n"
        "collective operation; the short waits of small collective calls and of windows are not.\n\n"
        "Counting costs about five instructions for a message from its sending to its being received, and no\n"
        "atomic operation: each word has one writer at a time (`src/base/counters.h`).\n",
        f);
}

/* ---- locks ---- */

static void print_locks(FILE *f)
{
    int rank = 0;
    fputs(
        "# Locks\n\n"
        "The spin locks of `src/base/lock.h` by rank, and the mutexes. A thread that waits for a lock holds only\n"
        "locks of lower rank, so no threads wait for each other in a cycle. Builds with assertions (sanitizers,\n"
        "`-Db_ndebug=false`) check that, and that locks are held where they should be (`lock_assert_held`).\n"
        "Made from `src/base/lock_classes.def` by `tools/tables_doc.c`.\n\n"
        "| rank | class | where | guards | taken while these are held |\n|---|---|---|---|---|\n",
        f);
#define LOCK_CLASS(name, where, guards, within)                                                              \
    fprintf(f, "| %d | %s | %s | %s | %s |\n", ++rank, #name, where, guards, within);
#define MUTEX(where, guards, within)
#include "base/lock_classes.def"
#undef LOCK_CLASS
#undef MUTEX
    fputs(
        "\nTwo locks of one class are held at a time in two cases. Stripes are taken by rising address. And who\n"
        "helps another endpoint holds the locks of both: the second one was tried, not waited for; when it was released\n"
        "for copying it is taken again (`endpoint_lock_again`, which says why that is no cycle). A lock that is\n"
        "tried may rank lower than others that are held, since its holder does not wait for it.\n\n"
        "No lock is held while a task is suspended, a function of the user is called, or a thread sleeps.\n\n"
        "## Mutexes\n\n"
        "Nothing that takes another lock is called while one is held, unless something else is said.\n\n"
        "| where | guards | |\n|---|---|---|\n",
        f);
#define LOCK_CLASS(name, where, guards, within)
#define MUTEX(where, guards, within) fprintf(f, "| %s | %s | %s |\n", where, guards, within);
#include "base/lock_classes.def"
#undef LOCK_CLASS
#undef MUTEX
}

/* ---- waiting ---- */

enum { LONG = 10000, FOREVER = INT_MAX };

static void turns(FILE *f, unsigned looks, unsigned pauses, unsigned yields)
{
    const char *before = "";
    fputs(" | ", f);
    if (looks > 0)
        fprintf(f, "%u looks", looks), before = ", ";
    if (pauses > looks)
        fprintf(f, "%s%u pauses", before, pauses - looks), before = ", ";
    if (yields == FOREVER)
        fprintf(f, "%syields", before);
    else if (yields > 0)
        fprintf(f, "%s%u yields", before, yields);
}

static void wait_policy(FILE *f, const char *name, const unsigned alone[3], const unsigned shared[3],
                        const char *then, unsigned least, unsigned most, const char *flags)
{
    fprintf(f, "| %s", name);
    turns(f, alone[0], alone[1], alone[2]);
    turns(f, shared[0], shared[1], shared[2]);
    fprintf(f, " | %s", alone[2] == FOREVER && shared[2] == FOREVER ? "" : then);
    if (least > 0 && least < most)
        fprintf(f, ", %u to %u us", least, most);
    else if (most > 0)
        fprintf(f, ", %s%u us", least > 0 ? "" : "at most ", most);
    fprintf(f, " | %s | ", strcmp(flags, "0") == 0 ? "" : flags);
}

static void print_waiting(FILE *f)
{
    fputs("# Waiting\n\n"
          "All waiting goes through `src/base/wait.h`: look at a condition, rest as a policy says, look again. These are the\n"
          "policies. A turn looks again at once, or after a pause of the core, or after the core was given away (yield).\n"
          "After 10,000 turns a yield is a nap, of 20 us at first and 1 ms at most; while MPI has something in hand, in\n"
          "task mode, and where locks may be held, after 100,000, of 20 us. The second column of turns counts where threads\n"
          "share cores, or tasks the thread. Made from `src/base/wait.def` by `tools/tables_doc.c`.\n\n"
          "HEEDS: `EP_WAIT` chooses another course. TASKS: a yield runs another task of the thread, if there is one.\n"
          "LOCKED: locks may be held. SLEEPY: where cores are shared there are no yields before sleep; nor are there for\n"
          "other waits than those for messages while one thread polls for all others of the process. What waits by\n"
          "MESSAGE, ELSEWHERE, ENDPOINTS and MANY takes its endpoint's messages, polls and helps other endpoints between\n"
          "looks, and suspends its task alone where tasks block alone; sleep is on an event count (`src/crt/evcount.h`).\n\n"
          "Who waits for messages (a request of its own, a probe) yields before it sleeps with several processes as with\n"
          "one, though the poller would see them. On shared cores the poller itself waits for a core behind threads that\n"
          "compute, and each message that it brings costs a system call to wake the receiver, which then waits for a\n"
          "core again, often the one of its waker. A thread that yields takes its messages itself as soon as it runs,\n"
          "stays where the scheduler has put it, and gives the core to who computes in a microsecond. Conjugate\n"
          "gradients in 2x4 on 2 cores took 1.2 times as long as eight processes when all but the poller slept, and\n"
          "take 0.96 times so. Sleep comes after 300 yields all the same: one computes for long, and others need the\n"
          "core. Where many wait for the step of a few (local gathers of new communicators, windows, memory) all but the\n"
          "poller sleep at once.\n\n"
          "| policy | turns | on shared cores | then | flags | where | why |\n|---|---|---|---|---|---|---|\n",
          f);
#define POLICY(name, looks, pauses, yields, shared_pauses, shared_yields, then, least, most, flags, where, why)   \
    wait_policy(f, #name, (unsigned[]){looks, pauses, yields},                                               \
                (unsigned[]){looks, shared_pauses, shared_yields}, #then, least, most, #flags);               \
    fprintf(f, "%s | %s |\n", where, why);
#include "base/wait.def"
#undef POLICY
}

/* ---- comparing ---- */

static int same(FILE *a, FILE *b)
{
    int x, y;
    do {
        x = getc(a);
        y = getc(b);
    } while (x == y && x != EOF);
    return x == y;
}

static int compare(void (*print)(FILE *), const char *table, const char *path)
{
    FILE *made = tmpfile(), *kept = fopen(path, "r");
    if (!made || !kept) {
        perror(path);
        return 1;
    }
    print(made);
    rewind(made);
    if (same(made, kept))
        return 0;
    fprintf(stderr, "%s is not what the table says: write it anew with build/tools/tables_doc %s > %s\n",
            path, table, path);
    return 1;
}

int main(int argc, char **argv)
{
    void (*print)(FILE *) = NULL;
    if (argc > 1 && strcmp(argv[1], "settings") == 0)
        print = print_settings;
    else if (argc > 1 && strcmp(argv[1], "counters") == 0)
        print = print_counters;
    else if (argc > 1 && strcmp(argv[1], "locks") == 0)
        print = print_locks;
    else if (argc > 1 && strcmp(argv[1], "waiting") == 0)
        print = print_waiting;
    if (!print) {
        fputs("usage: tables_doc settings|counters|locks|waiting [FILE]\n", stderr);
        return 2;
    }
    if (argc > 2)
        return compare(print, argv[1], argv[2]);
    print(stdout);
    return 0;
}
