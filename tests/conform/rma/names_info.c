/* SPDX-License-Identifier: BSD-3-Clause */
/* Names (MPI 6.8), hints (MPI 11.2.1, 11.2.7), groups (MPI 11.2.5) and Fortran handles of windows. */
#include "rma.h"

static void names(MPI_Win win)
{
    char name[MPI_MAX_OBJECT_NAME], longest[MPI_MAX_OBJECT_NAME];
    int length = -1;

    CALL(MPI_Win_get_name(win, name, &length));
    CHECK(length == 0 && name[0] == '\0');
    CALL(MPI_Win_set_name(win, "a window"));
    CALL(MPI_Win_get_name(win, name, &length));
    CHECK(length == 8 && strcmp(name, "a window") == 0);
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    CALL(MPI_Win_set_name(win, longest));
    CALL(MPI_Win_get_name(win, name, &length));
    CHECK(length == MPI_MAX_OBJECT_NAME - 1 && strcmp(name, longest) == 0);
    CALL(MPI_Win_set_name(win, ""));
    CALL(MPI_Win_get_name(win, name, &length));
    CHECK(length == 0 && name[0] == '\0');
}

static void hints(MPI_Comm comm)
{
    static const char *const keys[] = {"no_locks",  "accumulate_ordering", "accumulate_ops",
                                       "same_size", "same_disp_unit",      "unknown_to_all"};
    static const char *const values[] = {"false", "rar,raw,war,waw", "same_op", "true", "true", "x"};
    char value[MPI_MAX_INFO_VAL + 1];
    MPI_Info info, used;
    MPI_Win win;
    int *mem, flag, n;

    CALL(MPI_Info_create(&info));
    for (int i = 0; i < 6; i++)
        CALL(MPI_Info_set(info, keys[i], values[i]));
    CALL(MPI_Win_allocate(sizeof(int), sizeof(int), info, comm, &mem, &win));
    CALL(MPI_Info_free(&info));
    CALL(MPI_Win_get_info(win, &used));
    CALL(MPI_Info_get_nkeys(used, &n));
    CHECK(n >= 0);
    /* What is used is up to the library, but it does not say something else. */
    for (int i = 0; i < 5; i++) {
        CALL(MPI_Info_get(used, keys[i], MPI_MAX_INFO_VAL, value, &flag));
        if (flag && i != 2)
            CHECK(strcmp(value, values[i]) == 0);
    }
    CALL(MPI_Info_set(used, "no_locks", "false"));
    CALL(MPI_Win_set_info(win, used));
    CALL(MPI_Info_free(&used));
    CALL(MPI_Win_get_info(win, &used));
    CALL(MPI_Info_free(&used));
    CALL(MPI_Win_free(&win));
}

static void group_and_handles(const struct area *a)
{
    MPI_Group mine, theirs;
    MPI_Fint number;
    int result;

    CALL(MPI_Win_get_group(a->win, &theirs));
    CALL(MPI_Comm_group(a->comm, &mine));
    CALL(MPI_Group_compare(mine, theirs, &result));
    CHECK(result == MPI_IDENT);
    CALL(MPI_Group_free(&mine));
    CALL(MPI_Group_free(&theirs));
    number = MPI_Win_c2f(a->win);
    CHECK(MPI_Win_f2c(number) == a->win);
    CHECK(MPI_Win_f2c(MPI_Win_c2f(MPI_WIN_NULL)) == MPI_WIN_NULL);
}

int main(int argc, char **argv)
{
    struct area a, b;
    MPI_Comm reversed;

    conform_init(&argc, &argv);
    CALL(MPI_Comm_split(MPI_COMM_WORLD, 0, -rank_of(MPI_COMM_WORLD), &reversed));
    for (int flavor = 0; flavor < FLAVORS; flavor++) {
        area_make(&a, flavor, 2, 0, MPI_COMM_WORLD);
        area_make(&b, flavor, 2, 0, reversed);
        names(a.win);
        group_and_handles(&a);
        group_and_handles(&b);
        CHECK(MPI_Win_c2f(a.win) != MPI_Win_c2f(b.win));
        area_free(&a);
        area_free(&b);
    }
    hints(MPI_COMM_WORLD);
    hints(reversed);
    CALL(MPI_Comm_free(&reversed));
    return conform_end(0);
}
