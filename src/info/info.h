/* SPDX-License-Identifier: BSD-3-Clause */
/* ep_info: what this ep is, what it is set to, what it counts. The tables are those of src/base. */
#ifndef EP_INFO_INFO_H
#define EP_INFO_INFO_H

#include <stdio.h>

#include "p2p/p2p.h"

/* The MPI underneath. */
struct mpi_facts {
    char library[MPI_MAX_LIBRARY_VERSION_STRING]; /* first line */
    int version, subversion;                      /* of the standard */
    const char *thread_level;                     /* given when the highest is asked for */
    int processes, rank, tag_ub;
};

/* What a number of endpoints in one process means for tags (comm/tag.h). */
struct tag_row {
    int endpoints;
    int bits, highest; /* of a user's tag */
    int lanes;
};
enum { TAG_ROWS = 13 };

struct limit {
    const char *name, *unit, *meaning;
    long long value;
};
enum { LIMITS = 5 };

struct facts {
    struct mpi_facts mpi;
    struct tag_row tags[TAG_ROWS];
    struct limit limits[LIMITS];
    const struct setting **settings; /* sorted by name */
    int nsettings;
    int counters[COUNTERS]; /* indices, sorted by name */
};

/* The tables. False without memory. */
bool facts_tables(struct facts *f);
/* Start MPI and ask it; ep_finalize ends it. False if that fails. */
bool facts_mpi(struct facts *f);

/* Present value of a setting as a text. */
const char *setting_value(const struct setting *s, char *buffer, size_t room);
/* The same for its default, and for what it may be. */
const char *setting_default(const struct setting *s, char *buffer, size_t room);
const char *setting_range(const struct setting *s, char *buffer, size_t room);
/* "default", "environment", "default: what the environment says is not possible". */
const char *setting_origin(const struct setting *s);
const char *counter_kind(const struct counter_info *c);

/* A section by name, or all with NULL. */
enum section { SECTION_MPI, SECTION_LIMITS, SECTION_SETTINGS, SECTION_COUNTERS, SECTIONS };
extern const char *const section_names[SECTIONS];

void text_section(FILE *out, const struct facts *f, enum section section);
void text_setting(FILE *out, const struct setting *s);
void text_counter(FILE *out, const struct counter_info *c);

void json_all(FILE *out, const struct facts *f);
void json_section(FILE *out, const struct facts *f, enum section section);
void json_setting(FILE *out, const struct setting *s);
void json_counter(FILE *out, const struct counter_info *c);

#endif
