/* SPDX-License-Identifier: BSD-3-Clause */
/* iodef_stub.c: what output needs of iodef.c, until that is here. */
#include "iodef.h"

void iodef_record_bounds(const struct iodef *iodef, const struct iodef_file *file, int record, double bounds[2])
{
    double days = file->every * iodef->timestep / 86400;
    bounds[0] = record * days;
    bounds[1] = (record + 1) * days;
}

const char *operation_cell_method(enum operation operation)
{
    static const char *const methods[] = {"point", "mean", "minimum", "maximum"};
    return methods[operation];
}
