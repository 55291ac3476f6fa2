/* SPDX-License-Identifier: BSD-3-Clause */
/* The predefined types: sizes, names, envelopes; they cannot be freed or decoded (MPI 3.2.2, 4.1.13). */
#include "../expect.h"

#include <stdint.h>
#include <wchar.h>

static void one(MPI_Datatype type, const char *name, size_t size)
{
    char got[MPI_MAX_OBJECT_NAME];
    int length, bytes, integers, addresses, types, combiner;

    CALL(MPI_Type_size(type, &bytes));
    expect_int(name, bytes, (long long)size);
    CALL(MPI_Type_get_name(type, got, &length));
    if (strcmp(got, name) != 0 || length != (int)strlen(name))
        conform_error("name is '%s', not '%s'", got, name);
    CALL(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
    expect_int("combiner", combiner, MPI_COMBINER_NAMED);
    CHECK(integers == 0 && addresses == 0 && types == 0);
    CALL(MPI_Type_commit(&type));
}

#define ONE(type, c) one(type, #type, sizeof(c))

static void c_types(void)
{
    ONE(MPI_CHAR, char);
    ONE(MPI_SIGNED_CHAR, signed char);
    ONE(MPI_UNSIGNED_CHAR, unsigned char);
    ONE(MPI_BYTE, char);
    ONE(MPI_WCHAR, wchar_t);
    ONE(MPI_SHORT, short);
    ONE(MPI_UNSIGNED_SHORT, unsigned short);
    ONE(MPI_INT, int);
    ONE(MPI_UNSIGNED, unsigned);
    ONE(MPI_LONG, long);
    ONE(MPI_UNSIGNED_LONG, unsigned long);
    ONE(MPI_UNSIGNED_LONG_LONG, unsigned long long);
    ONE(MPI_FLOAT, float);
    ONE(MPI_DOUBLE, double);
    ONE(MPI_LONG_DOUBLE, long double);
    ONE(MPI_PACKED, char);
}

static void more_types(void)
{
    ONE(MPI_INT8_T, int8_t);
    ONE(MPI_INT16_T, int16_t);
    ONE(MPI_INT32_T, int32_t);
    ONE(MPI_INT64_T, int64_t);
    ONE(MPI_UINT8_T, uint8_t);
    ONE(MPI_UINT16_T, uint16_t);
    ONE(MPI_UINT32_T, uint32_t);
    ONE(MPI_UINT64_T, uint64_t);
    ONE(MPI_C_BOOL, _Bool);
    ONE(MPI_C_DOUBLE_COMPLEX, _Complex double);
    ONE(MPI_C_LONG_DOUBLE_COMPLEX, _Complex long double);
    ONE(MPI_AINT, MPI_Aint);
    ONE(MPI_OFFSET, MPI_Offset);
    ONE(MPI_COUNT, MPI_Count);
}

/* Their sizes count the data without gaps. */
static void pairs(void)
{
    int size;

    MPI_Type_size(MPI_2INT, &size);
    expect_int("MPI_2INT", size, 2 * sizeof(int));
    MPI_Type_size(MPI_DOUBLE_INT, &size);
    expect_int("MPI_DOUBLE_INT", size, sizeof(double) + sizeof(int));
    MPI_Type_size(MPI_SHORT_INT, &size);
    expect_int("MPI_SHORT_INT", size, sizeof(short) + sizeof(int));
    MPI_Type_size(MPI_FLOAT_INT, &size);
    expect_int("MPI_FLOAT_INT", size, sizeof(float) + sizeof(int));
    MPI_Type_size(MPI_LONG_INT, &size);
    expect_int("MPI_LONG_INT", size, sizeof(long) + sizeof(int));
}

int main(int argc, char **argv)
{
    int numbers[1], integers, addresses, types, combiner;
    MPI_Aint places[1];
    MPI_Datatype type = MPI_INT, inner[1];

    conform_init(&argc, &argv);
    c_types();
    more_types();
    pairs();
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(MPI_Type_free(&type) != MPI_SUCCESS);
    CHECK(MPI_Type_get_contents(MPI_INT, 1, 1, 1, numbers, places, inner) != MPI_SUCCESS);
    type = MPI_DATATYPE_NULL;
    FAILS(MPI_ERR_TYPE, MPI_Type_commit(&type));
    FAILS(MPI_ERR_TYPE, MPI_Type_get_envelope(MPI_DATATYPE_NULL, &integers, &addresses, &types, &combiner));
    FAILS(MPI_ERR_TYPE, MPI_Send(numbers, 1, MPI_DATATYPE_NULL, MPI_PROC_NULL, 0, MPI_COMM_WORLD));
    return conform_end(0);
}
