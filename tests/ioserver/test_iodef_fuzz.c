/* SPDX-License-Identifier: BSD-3-Clause */
/* test_iodef_fuzz.c: the sample with random changes is either wrong, in one line, or read to what holds together. */
#include "written.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

enum { ROUNDS = 4000, ROOM = 1 << 16, MOST_CHANGES = 4 };

static char sample[ROOM], bytes[ROOM], error[ERROR_SIZE];

static const char *const words[] = {"<",
                                    ">",
                                    "\"",
                                    "&",
                                    "&#10;",
                                    "]]>",
                                    "<![CDATA[",
                                    "<!--",
                                    "-->",
                                    "<?",
                                    "\xc3",
                                    "\xff",
                                    "/>",
                                    "</file>",
                                    "<file ",
                                    "<field ",
                                    " enabled=\"false\"",
                                    "99999999999999999999",
                                    "0",
                                    "-",
                                    ".",
                                    "1e9",
                                    "ts",
                                    "/",
                                    "<!DOCTYPE a>",
                                    "<calendar/>",
                                    "",
                                    "temp",
                                    "%s%n",
                                    "\n"};
enum { NUM_WORDS = sizeof words / sizeof words[0] };

/* The bytes from `at`, `old` of them, are replaced. */
static size_t replace(size_t size, size_t at, size_t old, const char *new, size_t new_size)
{
    if (size - old + new_size > ROOM)
        return size;
    memmove(bytes + at + new_size, bytes + at + old, size - at - old);
    memcpy(bytes + at, new, new_size);
    return size - old + new_size;
}

/* Behind a value, more often than not, where changes are not seen at once. */
static size_t random_place(size_t size)
{
    size_t at = (size_t)below((int)size);
    if (below(3) == 0)
        return at;
    const char *quote = memchr(bytes + at, '"', size - at);
    return quote ? (size_t)(quote - bytes) : at;
}

static size_t random_change(size_t size)
{
    char held[200];
    size_t at = random_place(size), length = (size_t)below(sizeof held);
    length = length < size - at ? length : size - at;
    memcpy(held, bytes + at, length);
    const char *word = words[below(NUM_WORDS)];
    switch (below(5)) {
    case 0:
        bytes[at] ^= (char)(1 << below(8));
        return size;
    case 1:
        return replace(size, at, (size_t)below((int)length + 1), "", 0);
    case 2: /* somewhere else, too */
        return replace(size, random_place(size), 0, held, length);
    case 3:
        return replace(size, at, at < size && below(2) ? 1 : 0, word, strlen(word));
    default:
        return replace(size, at, 0, word, strlen(word));
    }
}

static void check_whole(const struct iodef *iodef)
{
    int next_output = 0;
    ck_assert(iodef->timestep > 0 && isfinite(iodef->timestep) && iodef->num_steps > 0);
    ck_assert(iodef->start_year > 0 && iodef->start_month > 0 && iodef->start_month <= 12);
    ck_assert(iodef->start_day > 0 && iodef->start_day <= 30);
    for (int f = 0; f < iodef->num_fields; f++) {
        const struct iodef_field *field = &iodef->fields[f];
        ck_assert(field->id && field->standard_name && field->long_name && field->unit);
        ck_assert(field->is_3d == 0 || field->is_3d == 1);
        ck_assert_int_eq(iodef_find_field(iodef, field->id), f);
    }
    for (int f = 0; f < iodef->num_files; f++) {
        const struct iodef_file *file = &iodef->files[f];
        ck_assert(*file->name && !strchr(file->name, '/'));
        ck_assert(file->every > 0 && file->every <= iodef->num_steps);
        ck_assert(file->format == NETCDF4 || file->format == CDF5);
        ck_assert(file->operate_at == AT_CLIENT || file->operate_at == AT_SERVER);
        ck_assert_int_gt(file->num_outputs, 0);
        ck_assert_int_eq(file->first_output, next_output);
        next_output += file->num_outputs;
        for (int o = file->first_output; o < next_output; o++) {
            const struct iodef_output *output = &iodef->outputs[o];
            ck_assert(*output->name && output->field >= 0 && output->field < iodef->num_fields);
            ck_assert(output->file == f && output->operation <= MAXIMUM);
        }
    }
    ck_assert_int_eq(next_output, iodef->num_outputs);
}

static void check_error(void)
{
    ck_assert_msg(error[0] == ':' && error[1] >= '1' && error[1] <= '9', "%s", error);
    for (const char *c = error; *c; c++)
        ck_assert((unsigned char)*c >= ' ' && *c != 127);
}

/* Both kinds come up. */
START_TEST(changed_sample)
{
    int num_read = 0;
    FILE *file = fopen(SAMPLE, "r");
    ck_assert_ptr_nonnull(file);
    size_t sample_size = fread(sample, 1, sizeof sample, file);
    fclose(file);
    for (int round = 0; round < ROUNDS; round++) {
        size_t size = sample_size;
        memcpy(bytes, sample, size);
        for (int changes = below(MOST_CHANGES) + 1; changes > 0 && size > 0; changes--)
            size = random_change(size);
        struct iodef *iodef = read_bytes(bytes, size, error);
        if (iodef)
            check_whole(iodef);
        else
            check_error();
        num_read += iodef != NULL;
        iodef_free(iodef);
    }
    printf("%d of %d were read\n", num_read, ROUNDS);
    ck_assert_int_gt(num_read, ROUNDS / 100);
    ck_assert_int_lt(num_read, ROUNDS - ROUNDS / 4);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {changed_sample};
    return UNIT_MAIN("iodef_fuzz", tests);
}
