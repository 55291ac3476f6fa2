/* SPDX-License-Identifier: BSD-3-Clause */
/* oracle.h: a random file: what it has, who writes which part of it, and what must then be in it. */
#ifndef ORACLE_H
#define ORACLE_H

#include "harness.h"
#include "output.h"

enum { MAX_OUTPUTS = 5, MAX_RECTANGLES = 9, ORACLE_PATH = 256 };

/* Which operations its outputs have. */
enum mixture { INSTANTS, INTERVALS, BOTH };

struct oracle {
    struct iodef iodef;
    struct iodef_field fields[2];
    struct iodef_file file;
    struct iodef_output outputs[MAX_OUTPUTS];
    char names[MAX_OUTPUTS][16];
    struct grid grid;
    enum mixture mixture;
    int num_records, num_rectangles;
    struct block rectangles[MAX_RECTANGLES]; /* the grid, divided */
    int owners[MAX_RECTANGLES];
};

/* The same in all processes that have the same random state. Rows and columns: least..least + 19. */
void oracle_init(struct oracle *oracle, uint64_t *random, enum format format, enum mixture mixture,
                 int least);
void oracle_free(struct oracle *oracle);
float oracle_value(int output, int record, int level, int row, int column);
int oracle_levels(const struct oracle *oracle, int output);
/* Write records first..last-1 of this process's rectangles, or with `all` of the whole grid. 0, or -1 and *failed. */
int oracle_write(const struct oracle *oracle, struct output *output, int first, int last, int all,
                 int *failed, char message[OUTPUT_MESSAGE]);

/* read.c: the file is exactly what it must be, with records 0..num_records-1 (there may be one more, if
 * `damaged`). */
void oracle_check(const struct oracle *oracle, const char *path, int num_records, int damaged);
/* How many records there are; 0 if it cannot be read. */
int oracle_length(const char *path);

/* A folder that all processes use, and its end with all that is in it. */
void make_folder(char path[ORACLE_PATH]);
void remove_folder(const char *path);

#endif
