/* SPDX-License-Identifier: BSD-3-Clause */
/* test_iodef.c: good files, each kind of wrong ones with its error, durations, records. */
#include "iodef_xml.h"
#include "written.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

static char error[ERROR_SIZE];

/* Wrong files differ from this one in a line. */
static const char *const good_lines[] = {
    "<simulation>",
    "<calendar type='360_day' start_date='1999-12-30' timestep='6h' duration='10d'/>",
    "<field_definition>",
    "<field id='temp' standard_name='sea_water' long_name='t &amp; &#x3b8;' unit='degC' grid='3d'/>",
    "<field id='sst' unit='K' grid='2d'/>",
    "</field_definition>",
    "<file_definition>",
    "<file name='ocean' output_freq='1d'>",
    "<field field_ref='temp' operation='average'/>",
    "</file>",
    "</file_definition>",
    "</simulation>",
};
enum { NUM_LINES = sizeof good_lines / sizeof good_lines[0] };

/* With text in the place of a line (from 1; 0: of none). */
static struct iodef *read_changed(int line, const char *text)
{
    char bytes[8192];
    size_t size = 0;
    for (int l = 0; l < NUM_LINES; l++)
        size +=
            (size_t)snprintf(bytes + size, sizeof bytes - size, "%s\n", l + 1 == line ? text : good_lines[l]);
    ck_assert_uint_lt(size, sizeof bytes);
    return read_bytes(bytes, size, error);
}

static void check_field(const struct iodef_field *field, const char *id, const char *standard_name,
                        const char *long_name, const char *unit, int is_3d)
{
    ck_assert_str_eq(field->id, id);
    ck_assert_str_eq(field->standard_name, standard_name);
    ck_assert_str_eq(field->long_name, long_name);
    ck_assert_str_eq(field->unit, unit);
    ck_assert_int_eq(field->is_3d, is_3d);
}

static void check_file(const struct iodef_file *file, const char *name, int every, enum format format,
                       enum side operate_at, int first_output, int num_outputs)
{
    ck_assert_str_eq(file->name, name);
    ck_assert_int_eq(file->every, every);
    ck_assert_int_eq(file->format, format);
    ck_assert_int_eq(file->operate_at, operate_at);
    ck_assert_int_eq(file->first_output, first_output);
    ck_assert_int_eq(file->num_outputs, num_outputs);
}

static void check_output(const struct iodef_output *output, const char *name, int field, int file,
                         enum operation operation)
{
    ck_assert_str_eq(output->name, name);
    ck_assert_int_eq(output->field, field);
    ck_assert_int_eq(output->file, file);
    ck_assert_int_eq(output->operation, operation);
}

static void check_run(const struct iodef *iodef, int year, int month, int day, double timestep, int num_steps)
{
    ck_assert_int_eq(iodef->start_year, year);
    ck_assert_int_eq(iodef->start_month, month);
    ck_assert_int_eq(iodef->start_day, day);
    ck_assert(iodef->timestep == timestep);
    ck_assert_int_eq(iodef->num_steps, num_steps);
}

static void check_counts(const struct iodef *iodef, int num_fields, int num_files, int num_outputs)
{
    ck_assert_int_eq(iodef->num_fields, num_fields);
    ck_assert_int_eq(iodef->num_files, num_files);
    ck_assert_int_eq(iodef->num_outputs, num_outputs);
}

START_TEST(smallest)
{
    struct iodef *iodef = read_changed(0, NULL);
    ck_assert_msg(iodef, "%s", error);
    check_run(iodef, 1999, 12, 30, 21600, 40);
    check_counts(iodef, 2, 1, 1);
    check_field(&iodef->fields[0], "temp", "sea_water", "t & \xce\xb8", "degC", 1);
    check_field(&iodef->fields[1], "sst", "", "", "K", 0);
    check_file(&iodef->files[0], "ocean", 4, NETCDF4, AT_SERVER, 0, 1);
    check_output(&iodef->outputs[0], "temp", 0, 0, AVERAGE);
    iodef_free(iodef);
    iodef_free(NULL);
}
END_TEST

START_TEST(sample)
{
    struct iodef *iodef = iodef_read(SAMPLE, error, sizeof error);
    ck_assert_msg(iodef, "%s", error);
    check_run(iodef, 2000, 1, 1, 21600, 40);
    check_counts(iodef, 6, 4, 14);
    check_field(&iodef->fields[0], "temp", "sea_water_temperature", "temperature", "degC", 1);
    check_field(&iodef->fields[4], "mld", "ocean_mixed_layer_thickness", "mixed layer depth", "m", 0);
    check_field(&iodef->fields[5], "wspd", "wind_speed", "wind speed", "m s-1", 0);
    check_file(&iodef->files[0], "surface_6h", 1, NETCDF4, AT_SERVER, 0, 4);
    check_file(&iodef->files[1], "surface_daily", 4, NETCDF4, AT_SERVER, 4, 5);
    check_file(&iodef->files[2], "ocean_daily", 4, NETCDF4, AT_SERVER, 9, 2);
    check_file(&iodef->files[3], "ocean_5d", 20, NETCDF4, AT_SERVER, 11, 3);
    check_output(&iodef->outputs[0], "sst", 2, 0, INSTANT);
    check_output(&iodef->outputs[5], "sst_min", 2, 1, MINIMUM);
    check_output(&iodef->outputs[8], "mld", 4, 1, AVERAGE);
    check_output(&iodef->outputs[13], "temp_max", 0, 3, MAXIMUM);
    ck_assert_int_eq(iodef_find_field(iodef, "salt"), 1);
    ck_assert_int_eq(iodef_find_field(iodef, "Salt"), -1);
    iodef_free(iodef);
}
END_TEST

/* What is inherited, what a file has of its own, what is left out, and the order of outputs in several files. */
START_TEST(files)
{
    struct iodef *iodef = read_changed(
        7, "<file_definition format='cdf5' operate_at='client'>"
           "<file name='a' output_freq='3ts' operate_at='server'><!-- a comment -->"
           "<field field_ref='sst' operation='instant'/><field field_ref='sst' name='x' "
           "operation='maximum'/></file>"
           "<file name='ocean' output_freq='1y' enabled='false'><field field_ref='none' "
           "operation='average'/></file>"
           "<file name='b' output_freq='10d' format='netcdf4' enabled='true'>\n <![CDATA[ ]]> <?target?>"
           "<field field_ref='sst' operation='instant' enabled='.FALSE.'/>"
           "<field field_ref='temp' name='\xce\xb8 0.5/' operation='maximum' enabled='false'/>"
           "<field field_ref='temp' name='\xce\xb8 0.5' operation='minimum' enabled='.TRUE.'/></file>");
    ck_assert_msg(iodef, "%s", error);
    check_counts(iodef, 2, 3, 4);
    check_file(&iodef->files[0], "a", 3, CDF5, AT_SERVER, 0, 2);
    check_file(&iodef->files[1], "b", 40, NETCDF4, AT_CLIENT, 2, 1);
    check_file(&iodef->files[2], "ocean", 4, CDF5, AT_CLIENT, 3, 1);
    check_output(&iodef->outputs[0], "sst", 1, 0, INSTANT);
    check_output(&iodef->outputs[1], "x", 1, 0, MAXIMUM);
    check_output(&iodef->outputs[2], "\xce\xb8 0.5", 0, 1, MINIMUM);
    check_output(&iodef->outputs[3], "temp", 0, 2, AVERAGE);
    iodef_free(iodef);
}
END_TEST

/* A run that writes nothing. */
START_TEST(no_files)
{
    static const char text[] = "<simulation><calendar type='360_day' start_date='0001-01-01' timestep='0.1s' "
                               "duration='1d'/></simulation>";
    struct iodef *iodef = read_bytes(text, strlen(text), error);
    ck_assert_msg(iodef, "%s", error);
    check_run(iodef, 1, 1, 1, 0.1, 864000);
    check_counts(iodef, 0, 0, 0);
    iodef_free(iodef);
}
END_TEST

#define CALENDAR(type, start, step, duration)                                                                \
    "<calendar type='" type "' start_date='" start "' timestep='" step "' duration='" duration "'/>"
#define LIKE_240 "aaaaaaaaaabbbbbbbbbbaaaaaaaaaabbbbbbbbbbaaaaaaaaaabbbbbbbbbbaaaaaaaaaabbbbbbbbbb"
#define NO_DATE "is not a date YYYY-MM-DD of the calendar 360_day"

static const struct {
    int line; /* of good_lines, in whose place text stands */
    const char *text, *error;
} wrong[] = {
    {1, "<simulatoin>", ":1: the outermost element is <simulation>, not <simulatoin>"},
    {1, "<file>", ":1: the outermost element is <simulation>, not <file>"},
    {1, "<simulation name='x'>", ":1: <simulation> has no attribute \"name\""},
    {2, "", ":7: <calendar> must come before <file_definition>"},
    {2, CALENDAR("gregorian", "2000-01-01", "6h", "10d"),
     ":2: type=\"gregorian\": the only calendar is 360_day"},
    {2, CALENDAR("360_day", "2000-01-31", "6h", "10d"), ":2: start_date=\"2000-01-31\" " NO_DATE},
    {2, CALENDAR("360_day", "2000-13-01", "6h", "10d"), ":2: start_date=\"2000-13-01\" " NO_DATE},
    {2, CALENDAR("360_day", "2000-1-01", "6h", "10d"), ":2: start_date=\"2000-1-01\" " NO_DATE},
    {2, CALENDAR("360_day", "0000-01-01", "6h", "10d"), ":2: start_date=\"0000-01-01\" " NO_DATE},
    {2, CALENDAR("360_day", "2000-01-01 00", "6h", "10d"), ":2: start_date=\"2000-01-01 00\" " NO_DATE},
    {2, CALENDAR("360_day", "2000--1-01", "6h", "10d"), ":2: start_date=\"2000--1-01\" " NO_DATE},
    {2, CALENDAR("360_day", "2000-01-01", "2ts", "10d"),
     ":2: timestep=\"2ts\" is not a duration, such as 1d12h"},
    {2, CALENDAR("360_day", "2000-01-01", "0h", "10d"), ":2: timestep=\"0h\": it must be longer than 0"},
    {2, CALENDAR("360_day", "2000-01-01", "6h", "-1d"),
     ":2: duration=\"-1d\" is not a duration, such as 1d12h"},
    {2, CALENDAR("360_day", "2000-01-01", "6h", "10h"),
     ":2: duration=\"10h\" is not a multiple of the time step of 21600 s"},
    {2, CALENDAR("360_day", "2000-01-01", "1d", "0.0000001s"),
     ":2: duration=\"0.0000001s\" is not a multiple of the time step of 86400 s"},
    {2, CALENDAR("360_day", "2000-01-01", "1s", "2147483648s"),
     ":2: duration=\"2147483648s\" has more than 2147483647 time steps of 1 s"},
    {2, "<calendar type='360_day' timestep='6h' duration='10d'/>",
     ":2: <calendar> lacks the attribute \"start_date\""},
    {2, "<calendar time_step='6h'/>",
     ":2: <calendar> has no attribute \"time_step\"; did you mean \"timestep\"?"},
    {2, "<calender/>", ":2: unknown element <calender>; did you mean \"calendar\"?"},
    {2, "<nothing/>", ":2: unknown element <nothing>"},
    {2, "<field/>", ":2: <field> cannot stand in <simulation>"},
    {3, CALENDAR("360_day", "2000-01-01", "6h", "10d") "<field_definition>", ":3: a second <calendar>"},
    {5, "<field id='temp' unit='K' grid='2d'/>", ":5: a second field with id=\"temp\""},
    {5, "<field id='sst' grid='2d'/>", ":5: <field> lacks the attribute \"unit\""},
    {5, "<field id='sst' unit='K' grid='4d'/>", ":5: grid=\"4d\": it can be 2d or 3d"},
    {5, "<field id='' unit='K' grid='2d'/>", ":5: id is empty"},
    {5, "<field id='sst' id='sst' unit='K' grid='2d'/>", ":5: duplicate attribute"},
    {5, "<field id='sst' unit='K' grid='2d' longname='x'/>",
     ":5: <field> has no attribute \"longname\"; did you mean \"long_name\"?"},
    {5, "<field\n id='a'\n unit='K' grid='0d'/>", ":5: grid=\"0d\": it can be 2d or 3d"},
    {5, "<field id='\xe4' unit='K' grid='2d'/>", ":5: not well-formed (invalid token)"},
    {5, "<field id='&a;' unit='K' grid='2d'/>", ":5: undefined entity"},
    {5, "temperature", ":5: text where only elements can be"},
    {5, "\n\n <![CDATA[x]]>", ":7: text where only elements can be"},
    {7, "<file_definition format='netcdf'>", ":7: format=\"netcdf\": it can be netcdf4 or cdf5"},
    {7, "<file_definition operate_at='&#10;servers'>",
     ":7: operate_at=\"?servers\": it can be client or server"},
    {7, "<file_definition enabled='false'>", ":7: <file_definition> has no attribute \"enabled\""},
    {7, "<file_definition frmt='cdf5'>",
     ":7: <file_definition> has no attribute \"frmt\"; did you mean \"format\"?"},
    {7, "<file_definition form='cdf5' oper='client'>",
     ":7: <file_definition> has no attribute \"form\"; did you mean \"format\"?"},
    {7, "<file_definition fmt='cdf5'>", ":7: <file_definition> has no attribute \"fmt\""},
    {8, "<file name='ocean'>", ":8: <file> lacks the attribute \"output_freq\""},
    {8, "<file name='ocean' freq='1d'>", ":8: <file> has no attribute \"freq\""},
    {8, "<file name='ocean' outputfreq='1d'>",
     ":8: <file> has no attribute \"outputfreq\"; did you mean \"output_freq\"?"},
    {8, "<file name='ocean' output_freq='1 week'>",
     ":8: output_freq=\"1 week\" is not a duration, such as 1d12h"},
    {8, "<file name='ocean' output_freq='7h'>",
     ":8: output_freq=\"7h\" is not a multiple of the time step of 21600 s"},
    {8, "<file name='ocean' output_freq='0ts'>", ":8: output_freq=\"0ts\": it must be longer than 0"},
    {8, "<file name='ocean' output_freq='41ts'>",
     ":8: output_freq=\"41ts\" is longer than the run, the file would have no record"},
    {8, "<file name='out/ocean' output_freq='1d'>", ":8: name=\"out/ocean\": a name cannot contain /"},
    {8, "<file name='..' output_freq='1d'>", ":8: name=\"..\": a name begins with a letter, a digit or _"},
    {8, "<file name='a ' output_freq='1d'>", ":8: name=\"a \": a name cannot end with a blank"},
    {8, "<file name='a&#9;b' output_freq='1d'>",
     ":8: name=\"a?b\": a name cannot contain control characters"},
    {8, "<file name='" LIKE_240 LIKE_240 LIKE_240 "c' output_freq='1d'>",
     ":8: name is longer than 240 bytes: \"aaaaaaaaaabbbbbbbbbb...\""},
    {8, "<file name='a' output_freq='1d' enabled='no'>",
     ":8: enabled=\"no\": it can be true, false, .TRUE. or .FALSE."},
    {9, "", ":8: the file \"ocean\" has no field"},
    {9, "<field field_ref='sst' operation='average' enabled='false'/>",
     ":8: the file \"ocean\" has no field"},
    {9, "<field field_ref='tmp' operation='average'/>",
     ":9: field_ref=\"tmp\": no field above has this id; did you mean \"temp\"?"},
    {9, "<field field_ref='SST' operation='average'/>",
     ":9: field_ref=\"SST\": no field above has this id; did you mean \"sst\"?"},
    {9, "<field field_ref='wspd' operation='average'/>",
     ":9: field_ref=\"wspd\": no field above has this id"},
    {9, "<field field_ref='sst'/>", ":9: <field> lacks the attribute \"operation\""},
    {9, "<field id='sst' operation='average'/>", ":9: <field> has no attribute \"id\""},
    {9, "<field field_ref='sst' operation='mean'/>",
     ":9: operation=\"mean\": it can be instant, average, minimum or maximum"},
    {9, "<field field_ref='sst' operation='average' name='+'/>",
     ":9: name=\"+\": a name begins with a letter, a digit or _"},
    {9,
     "<field field_ref='sst' operation='average'/>\n<field field_ref='temp' name='sst' operation='average'/>",
     ":10: a second variable \"sst\" in the file \"ocean\""},
    {9, "<field field_ref='sst' operation='average'><field/></field>", ":9: <field> cannot stand in <field>"},
    {9, "<field field_ref='sst' operation='average'>", ":10: mismatched tag"},
    {10, "</file>\n<file name='ocean' output_freq='2d'>", ":11: a second file with name=\"ocean\""},
    {12, "", ":13: no element found"},
    {12, "</simulation>\n<simulation/>", ":13: junk after document element"},
    {12, "<calendar/>", ":12: <calendar> lacks the attribute \"type\""},
};

START_TEST(wrong_files)
{
    for (size_t w = 0; w < sizeof wrong / sizeof wrong[0]; w++) {
        struct iodef *iodef = read_changed(wrong[w].line, wrong[w].text);
        ck_assert_msg(!iodef, "accepted: %s", wrong[w].text);
        ck_assert_str_eq(error, wrong[w].error);
    }
}
END_TEST

static const struct {
    const char *text, *error;
} wrong_as_a_whole[] = {
    {"", ":1: no element found"},
    {"\n\nsimulation\n", ":3: syntax error"},
    {"<simulation/>", ":1: <simulation> has no <calendar>"},
    {"<?xml version='1.0' encoding='none'?>\n<simulation/>", ":1: unknown encoding"},
    {"<!DOCTYPE simulation [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]>\n<simulation>&b;</simulation>",
     ":1: <!DOCTYPE ...> is not allowed"},
    {"\n<!DOCTYPE simulation SYSTEM '/etc/passwd'>\n<simulation/>", ":2: <!DOCTYPE ...> is not allowed"},
};

START_TEST(wrong_wholes)
{
    for (size_t w = 0; w < sizeof wrong_as_a_whole / sizeof wrong_as_a_whole[0]; w++) {
        const char *text = wrong_as_a_whole[w].text;
        ck_assert_ptr_null(read_bytes(text, strlen(text), error));
        ck_assert_str_eq(error, wrong_as_a_whole[w].error);
    }
}
END_TEST

START_TEST(unreadable)
{
    char path[] = "/tmp/iodef_XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(path));
    ck_assert_ptr_null(iodef_read(path, error, sizeof error));
    ck_assert_int_eq(strncmp(error, path, strlen(path)), 0);
    ck_assert_str_eq(error + strlen(path), ": Is a directory");
    rmdir(path);
    ck_assert_ptr_null(iodef_read(path, error, sizeof error));
    ck_assert_str_eq(error + strlen(path), ": No such file or directory");
    ck_assert_ptr_null(iodef_read("/none", error, 4));
    ck_assert_str_eq(error, "/no");
}
END_TEST

/* Each allocation fails once; expat's own are not among them. */
START_TEST(without_memory)
{
    int num_failures = 0;
    for (bool failed = true; failed; num_failures += failed) {
        fail_allocation(num_failures);
        struct iodef *iodef = iodef_read(SAMPLE, error, sizeof error);
        failed = allocation_failed();
        fail_allocation(-1); /* the checks need memory, too */
        ck_assert_int_eq(iodef == NULL, failed);
        ck_assert(iodef || (strstr(error, ": out of memory") && strncmp(error, SAMPLE, strlen(SAMPLE)) == 0));
        iodef_free(iodef);
    }
    ck_assert_int_gt(num_failures, 6 * 4 + 4 + 14);
}
END_TEST

START_TEST(durations)
{
    static const struct {
        const char *text;
        double timestep, seconds;
    } cases[] = {
        {"1s", 0, 1},
        {"2mi", 0, 120},
        {"1h", 0, 3600},
        {"1d", 0, 86400},
        {"1mo", 0, 2592000},
        {"1y", 0, 31104000},
        {"1d12h", 0, 129600},
        {"12h1d", 0, 129600},
        {"1.5d", 0, 129600},
        {".5h", 0, 1800},
        {"2.h", 0, 7200},
        {"0.1s", 0, 0.1},
        {"1mo1mi", 0, 2592060},
        {" 1d\n12 h\t", 0, 129600},
        {"3ts", 900, 2700},
        {"1h1ts", 900, 4500},
        {"0s", 0, 0},
        {"007s", 0, 7},
        {"1y2mo3d4h5mi6s", 0, 36561906},
        {"1s1s", 0, 2},
        {"", 0, -1},
        {" ", 0, -1},
        {"1", 0, -1},
        {"d", 0, -1},
        {"1m", 0, -1},
        {"1ts", 0, -1},
        {"1t", 900, -1},
        {"1D", 0, -1},
        {"1d2", 0, -1},
        {"-1d", 0, -1},
        {"1e2d", 0, -1},
        {"0x1d", 0, -1},
        {".d", 0, -1},
        {"1..5d", 0, -1},
        {"1,5d", 0, -1},
        {"1d+1h", 0, -1},
        {"infd", 0, -1},
        {"nand", 0, -1},
        {"1 000s", 0, -1},
        {"1days", 0, -1},
    };
    char many[402];
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        ck_assert_msg(iodef_duration(cases[c].text, cases[c].timestep) == cases[c].seconds, "%s",
                      cases[c].text);
    memset(many, '9', 400);
    strcpy(many + 400, "s");
    ck_assert(iodef_duration(many, 0) == -1);
    many[1] = '.'; /* so many digits that a double has none of the last */
    ck_assert(iodef_duration(many, 0) == -1 || iodef_duration(many, 0) == 10);
}
END_TEST

START_TEST(records)
{
    struct iodef iodef = {.timestep = 21600, .num_steps = 40};
    struct iodef_file daily = {.every = 4}, odd = {.every = 7}, whole = {.every = 40};
    double bounds[2], next[2];
    iodef_record_bounds(&iodef, &daily, 3, bounds);
    ck_assert(bounds[0] == 3 && bounds[1] == 4);
    iodef_record_bounds(&iodef, &odd, 4, bounds);
    ck_assert(bounds[0] == 7 && bounds[1] == 8.75);
    iodef_record_bounds(&iodef, &whole, 0, bounds);
    ck_assert(bounds[0] == 0 && bounds[1] == 10);
    iodef = (struct iodef){.timestep = 0.1, .num_steps = 2147483647};
    for (int r = 0; r < 300000000; r += 7654321) {
        iodef_record_bounds(&iodef, &odd, r, bounds);
        iodef_record_bounds(&iodef, &odd, r + 1, next);
        ck_assert(bounds[1] == next[0] && bounds[0] < bounds[1] && bounds[0] >= r * 7.99e-6);
    }
}
END_TEST

/* The first of those that take fewest changes, each a letter more, less or another. */
START_TEST(nearest_word)
{
    char long_word[100] = "";
    struct nearest nearest = nearest_to("timestep");
    memset(long_word, 'a', sizeof long_word - 1);
    ck_assert_str_eq(nearest_hint(&nearest), "");
    nearest_offer(&nearest, "duration");
    nearest_offer(&nearest, long_word);
    ck_assert_str_eq(nearest_hint(&nearest), "");
    nearest_offer(&nearest, "timesteppe");
    ck_assert_str_eq(nearest_hint(&nearest), "; did you mean \"timesteppe\"?");
    nearest_offer(&nearest, "timestop");
    nearest_offer(&nearest, "timesteps");
    nearest_offer(&nearest, "steps");
    ck_assert_str_eq(nearest_hint(&nearest), "; did you mean \"timestop\"?");
    nearest = nearest_to(long_word);
    nearest_offer(&nearest, long_word);
    ck_assert_str_eq(nearest_hint(&nearest), "");
    long_word[60] = '\0';
    nearest_offer(&nearest, long_word);
    ck_assert_int_eq((int)strlen(nearest_hint(&nearest)), 60 + 18);
}
END_TEST

START_TEST(words)
{
    static const char *const methods[] = {"point", "mean", "minimum", "maximum"};
    for (int o = INSTANT; o <= MAXIMUM; o++) {
        ck_assert_str_eq(operation_cell_method(o), methods[o]);
    }
    ck_assert_str_eq(format_name(NETCDF4), "netcdf4");
    ck_assert_str_eq(format_name(CDF5), "cdf5");
}
END_TEST

int main(void)
{
    const TTest *tests[] = {smallest,   sample,         files,     no_files, wrong_files,  wrong_wholes,
                            unreadable, without_memory, durations, records,  nearest_word, words};
    return UNIT_MAIN("iodef", tests);
}
