/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iodef_xml.h: reading an XML file whose elements are given by a table: which ones there are, where each belongs and
 * which attributes it has. What does not fit is an error. What attributes mean is left to functions of the table.
 */
#ifndef IODEF_XML_H
#define IODEF_XML_H

#include <stdbool.h>
#include <stddef.h>

enum { MOST_ATTRIBUTES = 6, XML_ROOT = -1 };

struct xml {
    /* The caller's */
    const char *path;
    char *error; /* gets the first error; room for error_size bytes */
    size_t error_size;
    const struct xml_element *elements; /* the first is the outermost */
    int num_elements;
    void *arg; /* for begin and end */
    /* The reader's */
    int line;    /* of the beginning of the element, while its begin runs */
    int current; /* the element in which the reader is, XML_ROOT: none */
    bool failed;
    struct XML_ParserStruct *parser;
};

struct xml_element {
    const char *name;
    int parent; /* in the table, XML_ROOT: none */
    struct {
        const char *name; /* NULL after the last */
        bool is_required;
    } attributes[MOST_ATTRIBUTES];
    /* Either may be NULL. values: those of the attributes, in their order, NULL for one that is not there. They
     * return 0, or -1 after xml_fail. */
    int (*begin)(struct xml *xml, const char *const values[]);
    int (*end)(struct xml *xml);
};

/* 0, or -1 with an error. */
int xml_read(struct xml *xml);

/* Say what is wrong: "path:line: ...". Returns -1. */
int xml_fail(struct xml *xml, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The one of some words that the user probably meant. */
struct nearest {
    const char *word, *best; /* best: NULL if none is near */
    size_t distance;
    char hint[80];
};

struct nearest nearest_to(const char *word);
void nearest_offer(struct nearest *nearest, const char *candidate);
/* "; did you mean "temp"?", or "". Lasts as long as nearest. */
const char *nearest_hint(struct nearest *nearest);

#endif
