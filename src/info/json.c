/* SPDX-License-Identifier: BSD-3-Clause */
/* The same as JSON (RFC 8259). */
#include "info/info.h"

enum { JSON_ROOM = 1024 };

/* Bytes from 0x80 on are taken for UTF-8. */
static void json_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

static void json_member(FILE *out, const char *name, const char *value, const char *behind)
{
    json_string(out, name);
    fputs(": ", out);
    json_string(out, value);
    fputs(behind, out);
}

/* Numbers are numbers. */
static void json_typed(FILE *out, const struct setting *s, const char *name, const char *value)
{
    if (s->kind == SETTING_NUMBER)
        fprintf(out, "\"%s\": %s, ", name, value);
    else
        json_member(out, name, value, ", ");
}

void json_setting(FILE *out, const struct setting *s)
{
    char text[JSON_ROOM];
    fputc('{', out);
    json_member(out, "name", s->env, ", ");
    json_typed(out, s, "value", setting_value(s, text, JSON_ROOM));
    json_member(out, "from", setting_origin(s), ", ");
    json_typed(out, s, "default", setting_default(s, text, JSON_ROOM));
    json_member(out, "range", setting_range(s, text, JSON_ROOM), ", ");
    json_member(out, "meaning", s->meaning, "}");
}

void json_counter(FILE *out, const struct counter_info *c)
{
    fputc('{', out);
    json_member(out, "name", c->name, ", ");
    json_member(out, "kind", counter_kind(c), ", ");
    json_member(out, "unit", c->unit, ", ");
    json_member(out, "meaning", c->meaning, "}");
}

static void json_mpi(FILE *out, const struct mpi_facts *m)
{
    fputc('{', out);
    json_member(out, "library", m->library, ", ");
    fprintf(out, "\"standard\": \"%d.%d\", ", m->version, m->subversion);
    json_member(out, "thread_level", m->thread_level, ", ");
    fprintf(out, "\"processes\": %d}", m->processes);
}

static void json_limits(FILE *out, const struct facts *f)
{
    fputs("{\n", out);
    for (int i = 0; i < LIMITS; i++) {
        fprintf(out, "    \"%s\": {\"value\": %lld, ", f->limits[i].name, f->limits[i].value);
        json_member(out, "unit", f->limits[i].unit, ", ");
        json_member(out, "meaning", f->limits[i].meaning, "},\n");
    }
    fputs("    \"tags\": [\n", out);
    for (int i = 0; i < TAG_ROWS; i++)
        fprintf(out,
                "      {\"endpoints_per_process\": %d, \"bits\": %d, \"largest\": %d, \"mpi_communicators\": "
                "%d}%s\n",
                f->tags[i].endpoints, f->tags[i].bits, f->tags[i].highest, f->tags[i].lanes,
                i + 1 < TAG_ROWS ? "," : "");
    fputs("    ]\n  }", out);
}

void json_section(FILE *out, const struct facts *f, enum section section)
{
    switch (section) {
    case SECTION_MPI:
        json_mpi(out, &f->mpi);
        break;
    case SECTION_LIMITS:
        json_limits(out, f);
        break;
    case SECTION_SETTINGS:
        for (int i = 0; i < f->nsettings; i++) {
            fputs(i ? ",\n    " : "[\n    ", out);
            json_setting(out, f->settings[i]);
        }
        fputs("\n  ]", out);
        break;
    default:
        for (int i = 0; i < COUNTERS; i++) {
            fputs(i ? ",\n    " : "[\n    ", out);
            json_counter(out, &counter_table[f->counters[i]]);
        }
        fputs("\n  ]", out);
    }
}

void json_all(FILE *out, const struct facts *f)
{
    fprintf(out, "{\n  \"version\": \"%d.%d.%d\"", EP_VERSION_MAJOR, EP_VERSION_MINOR, EP_VERSION_PATCH);
    for (int i = 0; i < SECTIONS; i++) {
        fprintf(out, ",\n  \"%s\": ", section_names[i]);
        json_section(out, f, (enum section)i);
    }
    fputs("\n}", out);
}
