/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes of windows: the predefined ones of each flavor, keyvals of the user with their callbacks
 * (MPI 6.7.3, 11.2.6). */
#include "rma.h"

static int deleted, copied, last_keyval, extra = 17;
static void *last_value, *last_extra;
static MPI_Win last_win;

static int copy(MPI_Win win, int keyval, void *state, void *in, void *out, int *flag)
{
    (void)win;
    (void)keyval;
    (void)state;
    (void)in;
    (void)out;
    *flag = 0;
    copied++;
    return MPI_SUCCESS;
}

static int delete (MPI_Win win, int keyval, void *value, void *state)
{
    deleted++;
    last_win = win;
    last_keyval = keyval;
    last_value = value;
    last_extra = state;
    return MPI_SUCCESS;
}

static void predefined(const struct area *a)
{
    static const int flavors[] = {MPI_WIN_FLAVOR_CREATE, MPI_WIN_FLAVOR_ALLOCATE, MPI_WIN_FLAVOR_SHARED,
                                  MPI_WIN_FLAVOR_DYNAMIC};
    void *base;
    MPI_Aint *size;
    int *unit, *flavor, *model, flag, dynamic = a->flavor == DYNAMIC;

    CALL(MPI_Win_get_attr(a->win, MPI_WIN_BASE, &base, &flag));
    CHECK(flag && base == (dynamic ? MPI_BOTTOM : a->mem));
    CALL(MPI_Win_get_attr(a->win, MPI_WIN_SIZE, &size, &flag));
    CHECK(flag && *size == (dynamic ? 0 : (MPI_Aint)sizeof(long) * (a->rank + 1)));
    CALL(MPI_Win_get_attr(a->win, MPI_WIN_DISP_UNIT, &unit, &flag));
    CHECK(flag && *unit == (dynamic ? 1 : (int)sizeof(long)));
    CALL(MPI_Win_get_attr(a->win, MPI_WIN_CREATE_FLAVOR, &flavor, &flag));
    CHECK(flag && *flavor == flavors[a->flavor]);
    CALL(MPI_Win_get_attr(a->win, MPI_WIN_MODEL, &model, &flag));
    CHECK(flag && (*model == MPI_WIN_UNIFIED || (*model == MPI_WIN_SEPARATE && !UNDER_EP)));
}

static void users(MPI_Win win, MPI_Win other)
{
    int key, second, kept, flag, *value, one = 1, two = 2;

    CALL(MPI_Win_create_keyval(copy, delete, &key, &extra));
    CALL(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &second, NULL));
    CALL(MPI_Win_get_attr(win, key, &value, &flag));
    CHECK(!flag);
    CALL(MPI_Win_set_attr(win, key, &one));
    CALL(MPI_Win_set_attr(win, second, &two));
    CALL(MPI_Win_get_attr(win, key, &value, &flag));
    CHECK(flag && value == &one);
    CALL(MPI_Win_get_attr(win, second, &value, &flag));
    CHECK(flag && value == &two);
    CALL(MPI_Win_get_attr(other, key, &value, &flag));
    CHECK(!flag);
    deleted = 0;
    CALL(MPI_Win_set_attr(win, key, &two)); /* deletes the old value first */
    CHECK(deleted == 1 && last_value == &one && last_win == win && last_extra == &extra &&
          last_keyval == key);
    CALL(MPI_Win_delete_attr(win, key));
    CHECK(deleted == 2 && last_value == &two);
    CALL(MPI_Win_get_attr(win, key, &value, &flag));
    CHECK(!flag);
    /* A freed keyval lives on while it is in use. */
    CALL(MPI_Win_set_attr(win, key, &extra));
    kept = key;
    CALL(MPI_Win_free_keyval(&key));
    CHECK(key == MPI_KEYVAL_INVALID);
    CALL(MPI_Win_get_attr(win, kept, &value, &flag));
    CHECK(flag && value == &extra);
    CALL(MPI_Win_free_keyval(&second));
}

int main(int argc, char **argv)
{
    struct area a, other;

    conform_init(&argc, &argv);
    for (int flavor = 0; flavor < FLAVORS; flavor++) {
        area_make(&a, flavor, rank_of(MPI_COMM_WORLD) + 1, 0, MPI_COMM_WORLD);
        area_make(&other, CREATED, 2, 0, MPI_COMM_WORLD);
        predefined(&a);
        users(a.win, other.win);
        deleted = 0;
        area_free(&a);
        CHECK(deleted == 1 && last_value == &extra);
        area_free(&other);
        CHECK(deleted == 1);
    }
    CHECK(copied == 0);
    return conform_end(0);
}
