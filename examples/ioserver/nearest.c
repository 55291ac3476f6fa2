/* SPDX-License-Identifier: BSD-3-Clause */
/* nearest.c: what the user may have meant by an unknown word: the known one that takes fewest changes of letters. */
#include "iodef_xml.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_WORD = 60 };

static size_t least_of(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* Levenshtein's, in which upper and lower case are the same. Both words are at most LONGEST_WORD long. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t row[LONGEST_WORD + 1], length = strlen(b);
    for (size_t k = 0; k <= length; k++)
        row[k] = k;
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0]; /* of the row before */
        row[0] = i + 1;
        for (size_t k = 0; k < length; k++) {
            bool differ = tolower((unsigned char)a[i]) != tolower((unsigned char)b[k]);
            size_t above = row[k + 1];
            row[k + 1] = least_of(above + 1, row[k] + 1, diagonal + differ);
            diagonal = above;
        }
    }
    return row[length];
}

struct nearest nearest_to(const char *word)
{
    return (struct nearest){.word = word};
}

void nearest_offer(struct nearest *nearest, const char *candidate)
{
    size_t a = strlen(nearest->word), b = strlen(candidate), longer = a > b ? a : b;
    if (longer > LONGEST_WORD)
        return;
    size_t distance = edit_distance(nearest->word, candidate);
    /* With half of the letters wrong it is another word. */
    if (2 * distance < longer && (!nearest->best || distance < nearest->distance)) {
        nearest->best = candidate;
        nearest->distance = distance;
    }
}

const char *nearest_hint(struct nearest *nearest)
{
    nearest->hint[0] = '\0';
    if (nearest->best)
        snprintf(nearest->hint, sizeof nearest->hint, "; did you mean \"%s\"?", nearest->best);
    return nearest->hint;
}
