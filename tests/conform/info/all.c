/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Info: set, get, overwrite, delete, count, dup, and values that do not fit into the buffer. */
#include "conform.h"

#include <string.h>

static void is(MPI_Info info, const char *key, const char *expected)
{
    char value[MPI_MAX_INFO_VAL + 1];
    int flag, length = -1;

    memset(value, 'x', sizeof value);
    CALL(MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &flag));
    if (!expected) {
        CHECK(!flag);
        CALL(MPI_Info_get_valuelen(info, key, &length, &flag));
        CHECK(!flag);
        return;
    }
    if (!flag || strcmp(value, expected) != 0)
        conform_error("%s: flag %d, value %.40s, not %s", key, flag, value, expected);
    CALL(MPI_Info_get_valuelen(info, key, &length, &flag));
    CHECK(flag && length == (int)strlen(expected));
}

static int keys(MPI_Info info)
{
    int n = -1;

    CALL(MPI_Info_get_nkeys(info, &n));
    return n;
}

static void basics(MPI_Info info)
{
    MPI_Info copy;

    CHECK(keys(info) == 0);
    CALL(MPI_Info_set(info, "one", "1"));
    CALL(MPI_Info_set(info, "two", "a longer value, with = and ;"));
    CALL(MPI_Info_set(info, "ONE", "capital"));
    CHECK(keys(info) == 3);
    CALL(MPI_Info_set(info, "one", "another"));
    CHECK(keys(info) == 3);
    is(info, "one", "another");
    is(info, "ONE", "capital");
    is(info, "on", NULL);
    CALL(MPI_Info_dup(info, &copy));
    CHECK(copy != info);
    CALL(MPI_Info_delete(info, "two"));
    CHECK(keys(info) == 2 && keys(copy) == 3);
    is(info, "two", NULL);
    is(copy, "two", "a longer value, with = and ;");
    CALL(MPI_Info_set(copy, "one", "changed"));
    is(info, "one", "another");
    CALL(MPI_Info_free(&copy));
    CHECK(copy == MPI_INFO_NULL);
}

static void too_short_a_buffer(MPI_Info info)
{
    char value[8] = "zzzzzzz";
    int flag;

    CALL(MPI_Info_set(info, "long", "0123456789"));
    CALL(MPI_Info_get(info, "long", 3, value, &flag));
    CHECK(flag && strcmp(value, "012") == 0);
    CHECK(value[4] == 'z');
    CALL(MPI_Info_delete(info, "long"));
}

static void limits(MPI_Info info)
{
    char key[MPI_MAX_INFO_KEY], value[MPI_MAX_INFO_VAL];

    memset(key, 'k', sizeof key);
    key[sizeof key - 1] = '\0';
    memset(value, 'v', sizeof value);
    value[sizeof value - 1] = '\0';
    CALL(MPI_Info_set(info, key, value));
    is(info, key, value);
    CALL(MPI_Info_delete(info, key));
    is(info, key, NULL);
}

int main(int argc, char **argv)
{
    MPI_Info info;

    conform_init(&argc, &argv);
    CALL(MPI_Info_create(&info));
    CHECK(info != MPI_INFO_NULL);
    basics(info);
    too_short_a_buffer(info);
    limits(info);
    CALL(MPI_Info_free(&info));
    CHECK(info == MPI_INFO_NULL);
    return conform_end(0);
}
