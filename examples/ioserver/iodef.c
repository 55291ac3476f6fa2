/* SPDX-License-Identifier: BSD-3-Clause */
/* iodef.c: what is known once the XML has been read (iodef_read.c). */
#include "iodef_values.h"

#include <stdlib.h>
#include <string.h>

void iodef_free(struct iodef *iodef)
{
    if (!iodef)
        return;
    for (int f = 0; f < iodef->num_fields; f++) {
        free(iodef->fields[f].id);
        free(iodef->fields[f].standard_name);
        free(iodef->fields[f].long_name);
        free(iodef->fields[f].unit);
    }
    for (int f = 0; f < iodef->num_files; f++)
        free(iodef->files[f].name);
    for (int o = 0; o < iodef->num_outputs; o++)
        free(iodef->outputs[o].name);
    free(iodef->fields);
    free(iodef->files);
    free(iodef->outputs);
    free(iodef);
}

int iodef_find_field(const struct iodef *iodef, const char *id)
{
    for (int f = 0; f < iodef->num_fields; f++)
        if (strcmp(iodef->fields[f].id, id) == 0)
            return f;
    return -1;
}

/* The end of a record and the beginning of the next are the same bits. */
static double days_at(const struct iodef *iodef, const struct iodef_file *file, int record)
{
    return (double)record * file->every * iodef->timestep / 86400;
}

void iodef_record_bounds(const struct iodef *iodef, const struct iodef_file *file, int record,
                         double bounds[2])
{
    bounds[0] = days_at(iodef, file, record);
    bounds[1] = days_at(iodef, file, record + 1);
}

const char *const operation_names[4] = {
    [INSTANT] = "instant", [AVERAGE] = "average", [MINIMUM] = "minimum", [MAXIMUM] = "maximum"};
const char *const format_names[2] = {[NETCDF4] = "netcdf4", [CDF5] = "cdf5"};

const char *operation_cell_method(enum operation operation)
{
    static const char *const methods[] = {
        [INSTANT] = "point", [AVERAGE] = "mean", [MINIMUM] = "minimum", [MAXIMUM] = "maximum"};
    return methods[operation];
}

const char *format_name(enum format format)
{
    return format_names[format];
}
