/* SPDX-License-Identifier: BSD-3-Clause */
/* iodef_values.c: see iodef_values.h. */
#include "iodef_values.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names of files get a suffix; file systems end at 255 bytes, netCDF at 256. */
enum { LONGEST_NAME = 240 };

int out_of_memory(struct xml *xml)
{
    return xml_fail(xml, "out of memory");
}

int copy_text(struct xml *xml, const char *text, char **copy)
{
    size_t bytes = text ? strlen(text) + 1 : 1;
    *copy = malloc(bytes);
    if (!*copy)
        return out_of_memory(xml);
    memcpy(*copy, text ? text : "", bytes);
    return 0;
}

void *array_grow(void *array, int count, size_t size)
{
    if ((count & (count - 1)) == 0) { /* it doubles */
        array = realloc(array, (count ? 2 * (size_t)count : 1) * size);
        if (!array)
            return NULL;
    }
    memset((char *)array + (size_t)count * size, 0, size);
    return array;
}

int read_choice(struct xml *xml, const char *attribute, const char *value, const char *const choices[],
                int num_choices, int *choice)
{
    char list[100] = "";
    if (!value)
        return 0;
    for (int c = 0; c < num_choices; c++) {
        if (strcmp(choices[c], value) == 0) {
            *choice = c;
            return 0;
        }
        const char *before = c == 0 ? "" : c == num_choices - 1 ? " or " : ", ";
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", before, choices[c]);
    }
    return xml_fail(xml, "%s=\"%s\": it can be %s", attribute, value, list);
}

int read_enabled(struct xml *xml, const char *value, bool *is_disabled)
{
    static const char *const choices[] = {"true", "false", ".TRUE.", ".FALSE."}; /* the last two as in XIOS */
    int choice = 0, status = read_choice(xml, "enabled", value, choices, 4, &choice);
    *is_disabled = choice % 2;
    return status;
}

int check_name(struct xml *xml, const char *attribute, const char *name)
{
    size_t length = strlen(name);
    unsigned char first = (unsigned char)name[0];
    if (length == 0)
        return xml_fail(xml, "%s is empty", attribute);
    if (length > LONGEST_NAME)
        return xml_fail(xml, "%s is longer than %d bytes: \"%.20s...\"", attribute, LONGEST_NAME, name);
    if (strchr(name, '/'))
        return xml_fail(xml, "%s=\"%s\": a name cannot contain /", attribute, name);
    if (!isalnum(first) && first != '_' && first < 128)
        return xml_fail(xml, "%s=\"%s\": a name begins with a letter, a digit or _", attribute, name);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)name[i] < ' ' || name[i] == 127)
            return xml_fail(xml, "%s=\"%s\": a name cannot contain control characters", attribute, name);
    if (name[length - 1] == ' ')
        return xml_fail(xml, "%s=\"%s\": a name cannot end with a blank", attribute, name);
    return 0;
}

int read_duration(struct xml *xml, const char *attribute, const char *text, double timestep, double *seconds)
{
    *seconds = iodef_duration(text, timestep);
    if (*seconds < 0)
        return xml_fail(xml, "%s=\"%s\" is not a duration, such as 1d12h", attribute, text);
    if (*seconds == 0)
        return xml_fail(xml, "%s=\"%s\": it must be longer than 0", attribute, text);
    return 0;
}

/* Tenths of seconds are not exact in binary, so nor is the quotient. */
int read_steps(struct xml *xml, const char *attribute, const char *text, double timestep, int *num_steps)
{
    const double inexact = 1e-6;
    double seconds;
    if (read_duration(xml, attribute, text, timestep, &seconds) != 0)
        return -1;
    double steps = seconds / timestep, whole = rint(steps);
    if (whole > INT_MAX)
        return xml_fail(xml, "%s=\"%s\" has more than %d time steps of %g s", attribute, text, INT_MAX,
                        timestep);
    if (whole < 1 || fabs(steps - whole) > inexact)
        return xml_fail(xml, "%s=\"%s\" is not a multiple of the time step of %g s", attribute, text,
                        timestep);
    *num_steps = (int)whole;
    return 0;
}

int read_date(struct xml *xml, const char *text, struct iodef *iodef)
{
    int *year = &iodef->start_year, *month = &iodef->start_month, *day = &iodef->start_day, end = 0;
    bool has_form = strlen(text) == 10 && strspn(text, "0123456789-") == 10 &&
                    sscanf(text, "%4d-%2d-%2d%n", year, month, day, &end) == 3 && end == 10;
    if (!has_form || *year < 1 || *month < 1 || *month > 12 || *day < 1 || *day > 30)
        return xml_fail(xml, "start_date=\"%s\" is not a date YYYY-MM-DD of the calendar 360_day", text);
    return 0;
}
