/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Info_get_nthkey: every key once, the same each time, in the order of a dup, after deletions. */
#include "conform.h"

#include <stdio.h>
#include <string.h>

enum { N = 60 };

static void each_once(MPI_Info info, int first, int step, int expected)
{
    char key[MPI_MAX_INFO_KEY + 1], again[MPI_MAX_INFO_KEY + 1], value[32];
    int n, i, number, flag, seen[N] = {0}, total = 0;

    CALL(MPI_Info_get_nkeys(info, &n));
    CHECK(n == expected);
    for (i = 0; i < n; i++) {
        CALL(MPI_Info_get_nthkey(info, i, key));
        CALL(MPI_Info_get_nthkey(info, i, again));
        CHECK(strcmp(key, again) == 0);
        if (!CHECK(sscanf(key, "key-%d", &number) == 1 && number >= 0 && number < N))
            continue;
        CHECK(!seen[number]++);
        CALL(MPI_Info_get(info, key, 31, value, &flag));
        CHECK(flag && sscanf(value, "value %d", &i) == 1 && i == number);
        i = total++;
    }
    for (i = first; i < N; i += step)
        CHECK(seen[i] == 1);
}

int main(int argc, char **argv)
{
    char key[32], value[32], one[MPI_MAX_INFO_KEY + 1], two[MPI_MAX_INFO_KEY + 1];
    MPI_Info info, copy;
    int i;

    conform_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CALL(MPI_Info_create(&info));
    for (i = N - 1; i >= 0; i--) {
        sprintf(key, "key-%d", i);
        sprintf(value, "value %d", i);
        CALL(MPI_Info_set(info, key, value));
    }
    each_once(info, 0, 1, N);
    CALL(MPI_Info_dup(info, &copy));
    for (i = 0; i < N; i++) {
        MPI_Info_get_nthkey(info, i, one);
        MPI_Info_get_nthkey(copy, i, two);
        CHECK(strcmp(one, two) == 0);
    }
    for (i = 0; i < N; i += 2) {
        sprintf(key, "key-%d", i);
        CALL(MPI_Info_delete(info, key));
    }
    each_once(info, 1, 2, N / 2);
    CHECK(MPI_Info_get_nthkey(info, N / 2, one) != MPI_SUCCESS);
    CHECK(MPI_Info_get_nthkey(info, -1, one) != MPI_SUCCESS);
    CALL(MPI_Info_free(&info));
    each_once(copy, 0, 1, N);
    CALL(MPI_Info_free(&copy));
    return conform_end(0);
}
