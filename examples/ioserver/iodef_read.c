/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iodef_read.c: the XML file becomes a struct iodef. Each element is checked where it stands, from what stands before
 * it: the calendar comes before the files, and fields before the files that refer to them.
 */
#include "iodef_values.h"

#include <stdlib.h>
#include <string.h>

struct builder {
    struct iodef *iodef;
    bool has_calendar, is_disabled; /* is_disabled: the file that is being read */
    int file_line;                  /* where it begins */
    struct iodef_file defaults;     /* format and operate_at of file_definition */
};

static int read_format_and_side(struct xml *xml, const char *format, const char *side,
                                struct iodef_file *file)
{
    static const char *const sides[] = {[AT_CLIENT] = "client", [AT_SERVER] = "server"};
    int f = file->format, s = file->operate_at;
    if (read_choice(xml, "format", format, format_names, 2, &f) != 0 ||
        read_choice(xml, "operate_at", side, sides, 2, &s) != 0)
        return -1;
    file->format = f;
    file->operate_at = s;
    return 0;
}

enum { CALENDAR_TYPE, CALENDAR_START, CALENDAR_TIMESTEP, CALENDAR_DURATION };

static int begin_calendar(struct xml *xml, const char *const values[])
{
    struct builder *builder = xml->arg;
    struct iodef *iodef = builder->iodef;
    if (builder->has_calendar)
        return xml_fail(xml, "a second <calendar>");
    builder->has_calendar = true;
    if (strcmp(values[CALENDAR_TYPE], "360_day") != 0)
        return xml_fail(xml, "type=\"%s\": the only calendar is 360_day", values[CALENDAR_TYPE]);
    if (read_date(xml, values[CALENDAR_START], iodef) != 0 ||
        read_duration(xml, "timestep", values[CALENDAR_TIMESTEP], 0, &iodef->timestep) != 0)
        return -1;
    return read_steps(xml, "duration", values[CALENDAR_DURATION], iodef->timestep, &iodef->num_steps);
}

enum { FIELD_ID, FIELD_STANDARD_NAME, FIELD_LONG_NAME, FIELD_UNIT, FIELD_GRID };

static int begin_field(struct xml *xml, const char *const values[])
{
    static const char *const grids[] = {"2d", "3d"};
    struct iodef *iodef = ((struct builder *)xml->arg)->iodef;
    if (check_name(xml, "id", values[FIELD_ID]) != 0)
        return -1;
    if (iodef_find_field(iodef, values[FIELD_ID]) >= 0)
        return xml_fail(xml, "a second field with id=\"%s\"", values[FIELD_ID]);
    struct iodef_field *fields = array_grow(iodef->fields, iodef->num_fields, sizeof *fields);
    if (!fields)
        return out_of_memory(xml);
    iodef->fields = fields;
    struct iodef_field *field = &fields[iodef->num_fields++];
    if (copy_text(xml, values[FIELD_ID], &field->id) != 0 ||
        copy_text(xml, values[FIELD_STANDARD_NAME], &field->standard_name) != 0 ||
        copy_text(xml, values[FIELD_LONG_NAME], &field->long_name) != 0 ||
        copy_text(xml, values[FIELD_UNIT], &field->unit) != 0)
        return -1;
    return read_choice(xml, "grid", values[FIELD_GRID], grids, 2, &field->is_3d);
}

enum { DEFINITION_FORMAT, DEFINITION_OPERATE_AT };

static int begin_file_definition(struct xml *xml, const char *const values[])
{
    struct builder *builder = xml->arg;
    if (!builder->has_calendar)
        return xml_fail(xml, "<calendar> must come before <file_definition>");
    builder->defaults = (struct iodef_file){.format = NETCDF4, .operate_at = AT_SERVER};
    return read_format_and_side(xml, values[DEFINITION_FORMAT], values[DEFINITION_OPERATE_AT],
                                &builder->defaults);
}

enum { FILE_NAME, FILE_OUTPUT_FREQ, FILE_FORMAT, FILE_OPERATE_AT, FILE_ENABLED };

static int begin_file(struct xml *xml, const char *const values[])
{
    struct builder *builder = xml->arg;
    struct iodef *iodef = builder->iodef;
    struct iodef_file new = builder->defaults;
    if (read_enabled(xml, values[FILE_ENABLED], &builder->is_disabled) != 0)
        return -1;
    if (builder->is_disabled)
        return 0;
    if (check_name(xml, "name", values[FILE_NAME]) != 0 ||
        read_steps(xml, "output_freq", values[FILE_OUTPUT_FREQ], iodef->timestep, &new.every) != 0 ||
        read_format_and_side(xml, values[FILE_FORMAT], values[FILE_OPERATE_AT], &new) != 0)
        return -1;
    if (new.every > iodef->num_steps)
        return xml_fail(xml, "output_freq=\"%s\" is longer than the run, the file would have no record",
                        values[FILE_OUTPUT_FREQ]);
    for (int f = 0; f < iodef->num_files; f++)
        if (strcmp(iodef->files[f].name, values[FILE_NAME]) == 0)
            return xml_fail(xml, "a second file with name=\"%s\"", values[FILE_NAME]);
    struct iodef_file *files = array_grow(iodef->files, iodef->num_files, sizeof *files);
    if (!files)
        return out_of_memory(xml);
    iodef->files = files;
    new.first_output = iodef->num_outputs;
    files[iodef->num_files] = new;
    builder->file_line = xml->line;
    return copy_text(xml, values[FILE_NAME], &files[iodef->num_files++].name);
}

static int end_file(struct xml *xml)
{
    struct builder *builder = xml->arg;
    const struct iodef *iodef = builder->iodef;
    if (builder->is_disabled || iodef->files[iodef->num_files - 1].num_outputs > 0)
        return 0;
    xml->line = builder->file_line;
    return xml_fail(xml, "the file \"%s\" has no field", iodef->files[iodef->num_files - 1].name);
}

static int find_referred(struct xml *xml, const char *id)
{
    const struct iodef *iodef = ((struct builder *)xml->arg)->iodef;
    int field = iodef_find_field(iodef, id);
    if (field >= 0)
        return field;
    struct nearest nearest = nearest_to(id);
    for (int f = 0; f < iodef->num_fields; f++)
        nearest_offer(&nearest, iodef->fields[f].id);
    return xml_fail(xml, "field_ref=\"%s\": no field above has this id%s", id, nearest_hint(&nearest));
}

enum { OUTPUT_FIELD_REF, OUTPUT_NAME, OUTPUT_OPERATION, OUTPUT_ENABLED };

static int begin_output(struct xml *xml, const char *const values[])
{
    struct builder *builder = xml->arg;
    struct iodef *iodef = builder->iodef;
    bool is_disabled;
    int operation = INSTANT;
    if (read_enabled(xml, values[OUTPUT_ENABLED], &is_disabled) != 0)
        return -1;
    if (is_disabled || builder->is_disabled)
        return 0;
    int field = find_referred(xml, values[OUTPUT_FIELD_REF]);
    const char *name = values[OUTPUT_NAME] ? values[OUTPUT_NAME] : values[OUTPUT_FIELD_REF];
    if (field < 0 || check_name(xml, "name", name) != 0 ||
        read_choice(xml, "operation", values[OUTPUT_OPERATION], operation_names, 4, &operation) != 0)
        return -1;
    struct iodef_file *file = &iodef->files[iodef->num_files - 1];
    for (int o = file->first_output; o < iodef->num_outputs; o++)
        if (strcmp(iodef->outputs[o].name, name) == 0)
            return xml_fail(xml, "a second variable \"%s\" in the file \"%s\"", name, file->name);
    struct iodef_output *outputs = array_grow(iodef->outputs, iodef->num_outputs, sizeof *outputs);
    if (!outputs)
        return out_of_memory(xml);
    iodef->outputs = outputs;
    struct iodef_output *output = &outputs[iodef->num_outputs++];
    *output = (struct iodef_output){.field = field, .file = iodef->num_files - 1, .operation = operation};
    file->num_outputs++;
    return copy_text(xml, name, &output->name);
}

static int end_simulation(struct xml *xml)
{
    return ((struct builder *)xml->arg)->has_calendar ? 0 : xml_fail(xml, "<simulation> has no <calendar>");
}

enum { SIMULATION, CALENDAR, FIELD_DEFINITION, FIELD, FILE_DEFINITION, OUTPUT_FILE, OUTPUT, NUM_ELEMENTS };

static const struct xml_element elements[NUM_ELEMENTS] = {
    [SIMULATION] = {"simulation", XML_ROOT, {{NULL, false}}, NULL, end_simulation},
    [CALENDAR] = {"calendar",
                  SIMULATION,
                  {[CALENDAR_TYPE] = {"type", true},
                   [CALENDAR_START] = {"start_date", true},
                   [CALENDAR_TIMESTEP] = {"timestep", true},
                   [CALENDAR_DURATION] = {"duration", true}},
                  begin_calendar,
                  NULL},
    [FIELD_DEFINITION] = {"field_definition", SIMULATION, {{NULL, false}}, NULL, NULL},
    [FIELD] = {"field",
               FIELD_DEFINITION,
               {[FIELD_ID] = {"id", true},
                [FIELD_STANDARD_NAME] = {"standard_name", false},
                [FIELD_LONG_NAME] = {"long_name", false},
                [FIELD_UNIT] = {"unit", true},
                [FIELD_GRID] = {"grid", true}},
               begin_field,
               NULL},
    [FILE_DEFINITION] =
        {"file_definition",
         SIMULATION,
         {[DEFINITION_FORMAT] = {"format", false}, [DEFINITION_OPERATE_AT] = {"operate_at", false}},
         begin_file_definition,
         NULL},
    [OUTPUT_FILE] = {"file",
                     FILE_DEFINITION,
                     {[FILE_NAME] = {"name", true},
                      [FILE_OUTPUT_FREQ] = {"output_freq", true},
                      [FILE_FORMAT] = {"format", false},
                      [FILE_OPERATE_AT] = {"operate_at", false},
                      [FILE_ENABLED] = {"enabled", false}},
                     begin_file,
                     end_file},
    [OUTPUT] = {"field",
                OUTPUT_FILE,
                {[OUTPUT_FIELD_REF] = {"field_ref", true},
                 [OUTPUT_NAME] = {"name", false},
                 [OUTPUT_OPERATION] = {"operation", true},
                 [OUTPUT_ENABLED] = {"enabled", false}},
                begin_output,
                NULL},
};

struct iodef *iodef_read(const char *path, char *error, size_t error_size)
{
    struct builder builder = {.iodef = calloc(1, sizeof *builder.iodef)};
    struct xml xml = {.path = path,
                      .error = error,
                      .error_size = error_size,
                      .elements = elements,
                      .num_elements = NUM_ELEMENTS,
                      .arg = &builder};
    if (!builder.iodef)
        out_of_memory(&xml);
    else if (xml_read(&xml) == 0)
        return builder.iodef;
    iodef_free(builder.iodef);
    return NULL;
}
