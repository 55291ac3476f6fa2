/* SPDX-License-Identifier: BSD-3-Clause */
/* iodef_xml.c: see iodef_xml.h; the XML itself is expat's. */
#include "iodef_xml.h"

#include <errno.h>
#include <expat.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { CHUNK = 16384 };

/* What users write may have control characters (&#10;), and an error is one line. */
static void make_one_line(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 127)
            *text = '?';
}

/* line 0: none */
static int fail_at(struct xml *xml, int line, const char *format, va_list args)
{
    char text[512], place[32] = "";
    if (xml->failed)
        return -1;
    vsnprintf(text, sizeof text, format, args);
    if (line > 0)
        snprintf(place, sizeof place, ":%d", line);
    snprintf(xml->error, xml->error_size, "%s%s: %s", xml->path, place, text);
    if (xml->error_size > 0)
        make_one_line(xml->error);
    xml->failed = true;
    return -1;
}

int xml_fail(struct xml *xml, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail_at(xml, xml->line, format, args);
    va_end(args);
    return -1;
}

static void set_line(struct xml *xml)
{
    xml->line = (int)XML_GetCurrentLineNumber(xml->parser);
}

/* The element of this name in the current one, or -1. */
static int find_element(struct xml *xml, const char *name)
{
    struct nearest nearest = nearest_to(name);
    int elsewhere = -1;
    for (int e = 0; e < xml->num_elements; e++) {
        bool is_same = strcmp(xml->elements[e].name, name) == 0;
        if (xml->elements[e].parent != xml->current)
            elsewhere = is_same ? e : elsewhere;
        else if (is_same)
            return e;
        else
            nearest_offer(&nearest, xml->elements[e].name);
    }
    if (xml->current == XML_ROOT)
        return xml_fail(xml, "the outermost element is <%s>, not <%s>", xml->elements[0].name, name);
    if (elsewhere < 0)
        return xml_fail(xml, "unknown element <%s>%s", name, nearest_hint(&nearest));
    return xml_fail(xml, "<%s> cannot stand in <%s>", name, xml->elements[xml->current].name);
}

static int find_attribute(struct xml *xml, const struct xml_element *element, const char *name)
{
    struct nearest nearest = nearest_to(name);
    for (int a = 0; a < MOST_ATTRIBUTES && element->attributes[a].name; a++) {
        if (strcmp(element->attributes[a].name, name) == 0)
            return a;
        nearest_offer(&nearest, element->attributes[a].name);
    }
    return xml_fail(xml, "<%s> has no attribute \"%s\"%s", element->name, name, nearest_hint(&nearest));
}

/* pairs: names and values in turn. */
static int sort_attributes(struct xml *xml, const struct xml_element *element, const char **pairs,
                           const char *values[MOST_ATTRIBUTES])
{
    for (; *pairs; pairs += 2) {
        int a = find_attribute(xml, element, pairs[0]);
        if (a < 0)
            return -1;
        values[a] = pairs[1];
    }
    for (int a = 0; a < MOST_ATTRIBUTES && element->attributes[a].name; a++)
        if (element->attributes[a].is_required && !values[a])
            return xml_fail(xml, "<%s> lacks the attribute \"%s\"", element->name,
                            element->attributes[a].name);
    return 0;
}

/* expat's callbacks. Some still come after the parser has been stopped. */
static void on_begin(void *arg, const char *name, const char **pairs)
{
    struct xml *xml = arg;
    const char *values[MOST_ATTRIBUTES] = {NULL};
    if (xml->failed)
        return;
    set_line(xml);
    int e = find_element(xml, name);
    if (e >= 0 && sort_attributes(xml, &xml->elements[e], pairs, values) == 0) {
        xml->current = e;
        if (xml->elements[e].begin)
            xml->elements[e].begin(xml, values);
    }
    if (xml->failed)
        XML_StopParser(xml->parser, XML_FALSE);
}

static void on_end(void *arg, const char *name)
{
    struct xml *xml = arg;
    (void)name; /* expat has seen that it is that of the current one */
    if (xml->failed)
        return;
    set_line(xml);
    const struct xml_element *element = &xml->elements[xml->current];
    if (element->end && element->end(xml) != 0)
        XML_StopParser(xml->parser, XML_FALSE);
    xml->current = element->parent;
}

static void on_text(void *arg, const char *text, int length)
{
    struct xml *xml = arg;
    for (int i = 0; i < length && !xml->failed; i++)
        if (!strchr(" \t\r\n", text[i])) {
            set_line(xml);
            xml_fail(xml, "text where only elements can be");
            XML_StopParser(xml->parser, XML_FALSE);
        }
}

/* Without a document type there are no entities: none that grow without end, none that read other files. */
static void on_document_type(void *arg, const char *name, const char *system, const char *public,
                             int is_inside)
{
    struct xml *xml = arg;
    (void)name, (void)system, (void)public, (void)is_inside;
    set_line(xml);
    xml_fail(xml, "<!DOCTYPE ...> is not allowed");
    XML_StopParser(xml->parser, XML_FALSE);
}

static int parse_file(struct xml *xml, FILE *file)
{
    size_t length;
    do {
        void *chunk = XML_GetBuffer(xml->parser, CHUNK);
        if (!chunk)
            return xml_fail(xml, "%s", XML_ErrorString(XML_ERROR_NO_MEMORY));
        length = fread(chunk, 1, CHUNK, file);
        if (ferror(file)) {
            xml->line = 0;
            return xml_fail(xml, "%s", strerror(errno));
        }
        if (XML_ParseBuffer(xml->parser, (int)length, length < CHUNK) != XML_STATUS_OK) {
            set_line(xml); /* unless a callback has stopped it and said why */
            return xml_fail(xml, "%s", XML_ErrorString(XML_GetErrorCode(xml->parser)));
        }
    } while (length == CHUNK);
    return 0;
}

int xml_read(struct xml *xml)
{
    xml->line = 0;
    xml->current = XML_ROOT;
    xml->failed = false;
    FILE *file = fopen(xml->path, "r");
    if (!file)
        return xml_fail(xml, "%s", strerror(errno));
    xml->parser = XML_ParserCreate(NULL);
    if (xml->parser) {
        XML_SetUserData(xml->parser, xml);
        XML_SetElementHandler(xml->parser, on_begin, on_end);
        XML_SetCharacterDataHandler(xml->parser, on_text);
        XML_SetStartDoctypeDeclHandler(xml->parser, on_document_type);
        parse_file(xml, file);
        XML_ParserFree(xml->parser);
    } else
        xml_fail(xml, "%s", XML_ErrorString(XML_ERROR_NO_MEMORY));
    fclose(file);
    return xml->failed ? -1 : 0;
}
