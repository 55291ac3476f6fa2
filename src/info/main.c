/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "info/info.h"

static const char usage[] =
    "usage: ep_info [--json] [NAME]\n"
    "What this ep is, the MPI underneath, limits, settings and their present values, counters.\n"
    "  NAME    only this: mpi, limits, settings, counters, a setting or a counter\n"
    "  --json  as JSON\n"
    "Run it alone, or by mpirun; then process 0 prints.\n";

struct wish {
    bool json;
    const char *name; /* NULL: everything */
    int section;      /* or SECTIONS */
    const struct setting *setting;
    const struct counter_info *counter;
};

/* False: there is nothing of that name. */
static bool main_find(struct wish *w)
{
    w->section = SECTIONS;
    if (!w->name)
        return true;
    for (w->section = 0; w->section < SECTIONS; w->section++)
        if (strcasecmp(section_names[w->section], w->name) == 0)
            return true;
    const struct setting *s;
    for (int i = 0; (s = settings_entry(i)); i++)
        if (strcasecmp(s->env, w->name) == 0)
            w->setting = s;
    int counter = counter_find(w->name);
    if (counter >= 0)
        w->counter = &counter_table[counter];
    return w->setting || w->counter;
}

/* False: end, with *status. */
static bool read_options(int argc, char **argv, struct wish *w, int *status)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0) {
            w->json = true;
        } else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            fputs(usage, stdout);
            *status = 0;
            return false;
        } else if (argv[i][0] == '-' || w->name) {
            fputs(usage, stderr);
            *status = 2;
            return false;
        } else {
            w->name = argv[i];
        }
    }
    if (main_find(w))
        return true;
    fprintf(stderr, "ep_info: %s: no section, setting or counter\n", w->name);
    *status = 1;
    return false;
}

static void print_one(const struct wish *w)
{
    if (w->json && w->setting)
        json_setting(stdout, w->setting);
    else if (w->json)
        json_counter(stdout, w->counter);
    else if (w->setting)
        text_setting(stdout, w->setting);
    else
        text_counter(stdout, w->counter);
}

static void print_text(const struct wish *w, const struct facts *f)
{
    if (w->section < SECTIONS) {
        text_section(stdout, f, (enum section)w->section);
        return;
    }
    printf("ep %d.%d.%d: MPI endpoints\n", EP_VERSION_MAJOR, EP_VERSION_MINOR, EP_VERSION_PATCH);
    for (int i = 0; i < SECTIONS; i++) {
        putchar('\n');
        text_section(stdout, f, (enum section)i);
    }
}

static void main_print(const struct wish *w, const struct facts *f)
{
    if (w->setting || w->counter)
        print_one(w);
    else if (!w->json)
        print_text(w, f);
    else if (w->section < SECTIONS)
        json_section(stdout, f, (enum section)w->section);
    else
        json_all(stdout, f);
    if (w->json)
        putchar('\n');
}

/* MPI is started only where something is asked that it knows. */
static bool needs_mpi(const struct wish *w)
{
    return !w->setting && !w->counter && w->section != SECTION_SETTINGS && w->section != SECTION_COUNTERS;
}

int main(int argc, char **argv)
{
    static struct facts facts;
    struct wish wish = {0};
    int status = 0;
    if (!read_options(argc, argv, &wish, &status))
        return status;
    if (!facts_tables(&facts) || (needs_mpi(&wish) && !facts_mpi(&facts))) {
        fputs("ep_info: no memory, or MPI cannot be initialised\n", stderr);
        return 1;
    }
    if (facts.mpi.rank == 0)
        main_print(&wish, &facts);
    free(facts.settings);
    if (needs_mpi(&wish))
        ep_finalize();
    return fflush(stdout) == 0 ? 0 : 1;
}
