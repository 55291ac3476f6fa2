/* SPDX-License-Identifier: BSD-3-Clause */
/* duration.c: durations as XIOS writes them: sums of numbers with units, "1d12h". */
#include "iodef.h"

#include <math.h>
#include <string.h>

/* In the calendar 360_day. Longer units before those that begin like them. */
static const struct {
    const char *name;
    double seconds;
} units[] = {{"y", 360 * 86400.0}, {"mo", 30 * 86400.0}, {"mi", 60}, {"d", 86400}, {"h", 3600}, {"s", 1}};

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t\r\n");
}

/* Digits, perhaps with a point and more digits; NULL if there are none. Not strtod, for which 1d and 0x1 are more
 * than digits and which reads the point of the user's language. */
static const char *read_number(const char *text, double *number)
{
    const char *digits = "0123456789";
    size_t before = strspn(text, digits), after = text[before] == '.' ? strspn(text + before + 1, digits) : 0;
    double scale = 1;
    if (before == 0 && after == 0)
        return NULL;
    *number = 0;
    for (; before > 0; before--)
        *number = *number * 10 + (*text++ - '0');
    if (*text == '.')
        text++;
    for (; after > 0; after--, scale *= 10)
        *number = *number * 10 + (*text++ - '0');
    *number /= scale;
    return text;
}

static const char *read_unit(const char *text, double timestep, double *seconds)
{
    if (timestep > 0 && strncmp(text, "ts", 2) == 0) {
        *seconds = timestep;
        return text + 2;
    }
    for (size_t u = 0; u < sizeof units / sizeof units[0]; u++)
        if (strncmp(text, units[u].name, strlen(units[u].name)) == 0) {
            *seconds = units[u].seconds;
            return text + strlen(units[u].name);
        }
    return NULL;
}

double iodef_duration(const char *text, double timestep)
{
    double sum = 0, number, seconds;
    text = skip_blanks(text);
    do {
        text = read_number(text, &number);
        if (text)
            text = read_unit(skip_blanks(text), timestep, &seconds);
        if (!text)
            return -1;
        sum += number * seconds;
        text = skip_blanks(text);
    } while (*text);
    return isfinite(sum) ? sum : -1;
}
