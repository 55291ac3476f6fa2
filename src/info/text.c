/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "info/info.h"

enum { INDENT = 6, RIGHT = 100, TEXT_ROOM = 1024 };

/* A text in lines of at most RIGHT columns, indented. */
static void text_paragraph(FILE *out, const char *text)
{
    int at = 0;
    while (*text) {
        int n = (int)strcspn(text, " ");
        if (at > 0 && at + 1 + n > RIGHT) {
            fputc('\n', out);
            at = 0;
        }
        fprintf(out, "%*s%.*s", at ? 1 : INDENT, "", n, text);
        at += (at ? 1 : INDENT) + n;
        text += n;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

void text_setting(FILE *out, const struct setting *s)
{
    char value[TEXT_ROOM], def[TEXT_ROOM], range[TEXT_ROOM];
    fprintf(out, "  %s = %s (%s)\n", s->env, setting_value(s, value, TEXT_ROOM), setting_origin(s));
    fprintf(out, "%*s%s; default %s\n", INDENT, "", setting_range(s, range, TEXT_ROOM),
            setting_default(s, def, TEXT_ROOM));
    text_paragraph(out, s->meaning);
}

void text_counter(FILE *out, const struct counter_info *c)
{
    fprintf(out, "  %s (%s, %s)\n", c->name, counter_kind(c), c->unit);
    text_paragraph(out, c->meaning);
}

static void text_mpi(FILE *out, const struct mpi_facts *m)
{
    fprintf(out, "  library       %s\n", m->library);
    fprintf(out, "  standard      MPI %d.%d\n", m->version, m->subversion);
    fprintf(out, "  thread level  %s\n", m->thread_level);
    fprintf(out, "  processes     %d\n", m->processes);
}

static void text_limits(FILE *out, const struct facts *f)
{
    for (int i = 0; i < LIMITS; i++) {
        const struct limit *l = &f->limits[i];
        fprintf(out, "  %s = %lld%s%s\n", l->name, l->value, *l->unit ? " " : "", l->unit);
        text_paragraph(out, l->meaning);
    }
    fprintf(out, "  tags, by the number of endpoints in the fullest process\n"
                 "      endpoints  bits  largest user tag  MPI communicators\n");
    for (int i = 0; i < TAG_ROWS; i++)
        fprintf(out, "      %9d  %4d  %16d  %17d\n", f->tags[i].endpoints, f->tags[i].bits,
                f->tags[i].highest, f->tags[i].lanes);
}

void text_section(FILE *out, const struct facts *f, enum section section)
{
    static const char *const titles[SECTIONS] = {"MPI underneath", "Limits",
                                                 "Settings (environment variables; docs/settings.md)",
                                                 "Counters of each endpoint (docs/counters.md)"};
    fprintf(out, "%s\n", titles[section]);
    switch (section) {
    case SECTION_MPI:
        text_mpi(out, &f->mpi);
        break;
    case SECTION_LIMITS:
        text_limits(out, f);
        break;
    case SECTION_SETTINGS:
        for (int i = 0; i < f->nsettings; i++)
            text_setting(out, f->settings[i]);
        break;
    default:
        for (int i = 0; i < COUNTERS; i++)
            text_counter(out, &counter_table[f->counters[i]]);
    }
}
