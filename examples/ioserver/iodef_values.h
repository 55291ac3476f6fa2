/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iodef_values.h: from the text of an attribute to its value. All functions that return int return 0, or -1 after
 * they have said what is wrong (xml_fail).
 */
#ifndef IODEF_VALUES_H
#define IODEF_VALUES_H

#include "iodef.h"
#include "iodef_xml.h"

/* The words of the XML, by the numbers of the enumerations. */
extern const char *const operation_names[4], *const format_names[2];

int out_of_memory(struct xml *xml);
/* A copy; "" of NULL. */
int copy_text(struct xml *xml, const char *text, char **copy);
/* The array with room for one more element behind the first `count`, zeroed; NULL without memory. */
void *array_grow(void *array, int count, size_t size);

/* One of some words. *choice stays if value is NULL. */
int read_choice(struct xml *xml, const char *attribute, const char *value, const char *const choices[],
                int num_choices, int *choice);
int read_enabled(struct xml *xml, const char *value, bool *is_disabled);
/* Is it, for netCDF and for a file, a name? */
int check_name(struct xml *xml, const char *attribute, const char *name);
/* Longer than 0. timestep: as iodef_duration has it. */
int read_duration(struct xml *xml, const char *attribute, const char *text, double timestep, double *seconds);
/* A duration as a number of time steps. */
int read_steps(struct xml *xml, const char *attribute, const char *text, double timestep, int *num_steps);
/* The start date, YYYY-MM-DD. */
int read_date(struct xml *xml, const char *text, struct iodef *iodef);

#endif
