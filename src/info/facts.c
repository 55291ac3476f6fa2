/* SPDX-License-Identifier: BSD-3-Clause */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "info/info.h"

const char *const section_names[SECTIONS] = {"mpi", "limits", "settings", "counters"};

/* ---- tables ---- */

static int by_env(const void *a, const void *b)
{
    const struct setting *const *x = a, *const *y = b;
    return strcmp((*x)->env, (*y)->env);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(counter_table[*(const int *)a].name, counter_table[*(const int *)b].name);
}

bool facts_tables(struct facts *f)
{
    while (settings_entry(f->nsettings))
        f->nsettings++;
    f->settings = malloc((size_t)f->nsettings * sizeof *f->settings);
    if (!f->settings)
        return false;
    for (int i = 0; i < f->nsettings; i++)
        f->settings[i] = settings_entry(i);
    qsort(f->settings, (size_t)f->nsettings, sizeof *f->settings, by_env);
    for (int i = 0; i < COUNTERS; i++)
        f->counters[i] = i;
    qsort(f->counters, COUNTERS, sizeof *f->counters, by_name);
    return true;
}

const char *setting_value(const struct setting *s, char *buffer, size_t room)
{
    const char *text = s->kind == SETTING_TEXT ? settings_environment(s->env) : NULL;
    if (!text)
        return settings_show(s, settings_value(s), buffer, room);
    snprintf(buffer, room, "%s", text);
    return buffer;
}

const char *setting_default(const struct setting *s, char *buffer, size_t room)
{
    return settings_show(s, s->def, buffer, room);
}

const char *setting_range(const struct setting *s, char *buffer, size_t room)
{
    if (s->kind != SETTING_NUMBER)
        snprintf(buffer, room, "%s", s->choices);
    else if (s->highest == LONG_MAX)
        snprintf(buffer, room, "%ld or more", s->lowest);
    else
        snprintf(buffer, room, "%ld to %ld", s->lowest, s->highest);
    return buffer;
}

const char *setting_origin(const struct setting *s)
{
    static const char *const names[] = {"default", "environment",
                                        "default: what the environment says is not possible"};
    return names[settings_source(s)];
}

const char *counter_kind(const struct counter_info *c)
{
    static const char *const names[] = {"count", "level", "peak"};
    return names[c->kind];
}

/* ---- MPI ---- */

static const char *level_name(int level)
{
    switch (level) {
    case MPI_THREAD_SINGLE:
        return "MPI_THREAD_SINGLE";
    case MPI_THREAD_FUNNELED:
        return "MPI_THREAD_FUNNELED";
    case MPI_THREAD_SERIALIZED:
        return "MPI_THREAD_SERIALIZED";
    default:
        return "MPI_THREAD_MULTIPLE";
    }
}

static int lanes_for(int tag_ub, int endpoints)
{
    struct tag_layout l;
    tag_layout_init(&l, tag_ub, endpoints);
    return l.lanes;
}

static void fill_tags(struct facts *f)
{
    for (int i = 0; i < TAG_ROWS; i++) {
        struct tag_layout l;
        tag_layout_init(&l, f->mpi.tag_ub, 1 << i);
        f->tags[i] = (struct tag_row){1 << i, l.user, l.ub, l.lanes};
    }
}

static void fill_limits(struct facts *f)
{
    int n = 1;
    while (n < INT_MAX / 4 && lanes_for(f->mpi.tag_ub, n + 1) == 1)
        n++;
    struct limit limits[LIMITS] = {
        {"endpoints", "endpoints", "in one communicator", INT_MAX},
        {"one_lane", "endpoints",
         "most endpoints in a process for which ep sends on one MPI communicator; beyond, on several", n},
        {"mpi_tag_ub", "",
         "largest tag of the MPI underneath, which carries the user's and two numbers of endpoints",
         f->mpi.tag_ub},
        {"inline_bytes", "bytes",
         "data of a near message that travel inside the receiver's inbox; larger messages go by rendezvous; those that do not block may do so from 800 bytes on",
         INLINE_MAX},
        {"inbox_lines", "cache lines", "size of an inbox; what does not fit goes to a list", INBOX_LINES},
    };
    memcpy(f->limits, limits, sizeof limits);
}

bool facts_mpi(struct facts *f)
{
    int provided, n;
    if (ep_init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided) != MPI_SUCCESS)
        return false;
    MPI_Get_library_version(f->mpi.library, &n);
    f->mpi.library[strcspn(f->mpi.library, "\n")] = '\0';
    MPI_Get_version(&f->mpi.version, &f->mpi.subversion);
    MPI_Comm_size(MPI_COMM_WORLD, &f->mpi.processes);
    MPI_Comm_rank(MPI_COMM_WORLD, &f->mpi.rank);
    f->mpi.thread_level = level_name(process.thread_level);
    f->mpi.tag_ub = process.mpi_tag_ub;
    fill_tags(f);
    fill_limits(f);
    return true;
}
