/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iodef.h: what is to be written, when and how: the XML file that the user writes (an XIOS iodef.xml in small),
 * read and checked once per process, read-only from then on.
 *
 *   <simulation>
 *     <calendar type="360_day" start_date="2000-01-01" timestep="6h" duration="1mo"/>
 *     <field_definition>
 *       <field id="temp" standard_name="sea_water_temperature" long_name="..." unit="degC" grid="3d"/>
 *     </field_definition>
 *     <file_definition format="netcdf4" operate_at="server">
 *       <file name="ocean" output_freq="10d">
 *         <field field_ref="temp" name="temp" operation="average"/>
 *       </file>
 *     </file_definition>
 *   </simulation>
 *
 * The elements stand in this order. Required are: of calendar all attributes, of field_definition's field id, unit and
 * grid (2d, 3d), of file name and output_freq, of file's field field_ref and operation (instant, average, minimum,
 * maximum). file_definition's format (netcdf4, cdf5) and operate_at (client, server) hold for files without their own;
 * left out they are netcdf4 and server. An output's name is the field's id unless it has one. A file or field with
 * enabled="false" is as if it were not there. duration and output_freq are multiples of timestep, and output_freq is
 * not longer than duration. A run without files is right.
 *
 * Durations are sums of numbers with units, as in XIOS: y mo d h mi s ts (time steps): "1d12h", "2ts". In the
 * calendar 360_day each month has 30 days, so each duration is a number of seconds.
 */
#ifndef IODEF_H
#define IODEF_H

#include <stddef.h>

enum operation { INSTANT, AVERAGE, MINIMUM, MAXIMUM };
enum format { NETCDF4, CDF5 };
enum side {
    AT_CLIENT,
    AT_SERVER
}; /* who applies the operation: what is sent is a record, or each step's values */

/* A field that the model has. */
struct iodef_field {
    char *id, *standard_name, *long_name, *unit; /* standard_name and long_name: "" if not given */
    int is_3d;                                   /* else it has one level */
};

/* One variable of one file. Those of a file follow each other. */
struct iodef_output {
    char *name;
    int field, file;
    enum operation operation;
};

struct iodef_file {
    char *name; /* without directory and suffix */
    int every;  /* time steps of the model in one record */
    enum format format;
    enum side operate_at;
    int first_output, num_outputs;
};

struct iodef {
    int start_year, start_month, start_day;
    double timestep; /* seconds */
    int num_steps;   /* of the run */
    struct iodef_field *fields;
    struct iodef_file *files;
    struct iodef_output *outputs;
    int num_fields, num_files, num_outputs;
};

/* NULL if the file cannot be read or is wrong: then error has one line that says where ("iodef.xml:12: ...") and
 * what, with the nearest thing that would be right where there is one. */
struct iodef *iodef_read(const char *path, char *error, size_t error_size);
void iodef_free(struct iodef *iodef);

/* The number of the field with this id, or -1. */
int iodef_find_field(const struct iodef *iodef, const char *id);

/* Days since the start of the run at which record number `record` (from 0) of the file begins and ends. A last incomplete
 * record of a run is not written. */
void iodef_record_bounds(const struct iodef *iodef, const struct iodef_file *file, int record,
                         double bounds[2]);

/* Seconds of a duration, or -1. timestep: the unit ts, 0: not allowed. */
double iodef_duration(const char *text, double timestep);

/* For CF's cell_methods: "mean" ... */
const char *operation_cell_method(enum operation operation);
const char *format_name(enum format format);

#endif
