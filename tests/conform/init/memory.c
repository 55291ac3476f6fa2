/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Get_address, MPI_Aint_add, MPI_Aint_diff, MPI_BOTTOM, MPI_Alloc_mem, MPI_Free_mem, handles' constants. */
#include "conform.h"

#include <stddef.h>
#include <string.h>

static void addresses(void)
{
    struct {
        char c;
        double d[3];
    } s[4];
    MPI_Aint base, inside, end;

    CALL(MPI_Get_address(&s[0], &base));
    CALL(MPI_Get_address(&s[2].d[1], &inside));
    CALL(MPI_Get_address(&s[4], &end));
    CHECK(MPI_Aint_diff(inside, base) == (MPI_Aint)((char *)&s[2].d[1] - (char *)s));
    CHECK(MPI_Aint_add(base, sizeof s) == end);
    CHECK(MPI_Aint_diff(base, end) == -(MPI_Aint)sizeof s);
    CALL(MPI_Get_address(MPI_BOTTOM, &base));
    CHECK(MPI_Aint_add(base, 5) == base + 5);
}

static void allocated(MPI_Aint bytes, MPI_Info info)
{
    char *memory = NULL, in[100], out[100];

    CALL(MPI_Alloc_mem(bytes, info, &memory));
    CHECK(memory != NULL);
    memset(memory, 'm', bytes);
    memset(out, 'o', sizeof out);
    CALL(
        MPI_Sendrecv(memory, 100, MPI_CHAR, 0, 0, in, 100, MPI_CHAR, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE));
    CHECK(in[0] == 'm' && in[99] == 'm');
    CALL(MPI_Sendrecv(out, 100, MPI_CHAR, 0, 0, memory, 100, MPI_CHAR, 0, 0, MPI_COMM_SELF,
                      MPI_STATUS_IGNORE));
    CHECK(memory[0] == 'o' && memory[99] == 'o');
    CALL(MPI_Free_mem(memory));
}

static void from_bottom(void)
{
    int out = 5, in = 0;
    MPI_Aint where[2];
    MPI_Datatype sender, receiver;
    int one = 1;

    MPI_Get_address(&out, &where[0]);
    MPI_Get_address(&in, &where[1]);
    MPI_Type_create_hindexed(1, &one, &where[0], MPI_INT, &sender);
    MPI_Type_create_hindexed(1, &one, &where[1], MPI_INT, &receiver);
    MPI_Type_commit(&sender);
    MPI_Type_commit(&receiver);
    CALL(MPI_Sendrecv(MPI_BOTTOM, 1, sender, 0, 0, MPI_BOTTOM, 1, receiver, 0, 0, MPI_COMM_SELF,
                      MPI_STATUS_IGNORE));
    CHECK(in == 5);
    MPI_Type_free(&sender);
    MPI_Type_free(&receiver);
}

int main(int argc, char **argv)
{
    MPI_Info info;
    int i;

    conform_init(&argc, &argv);
    addresses();
    MPI_Info_create(&info);
    MPI_Info_set(info, "no_such_hint", "1");
    for (i = 100; i < 4000000; i *= 3)
        allocated(i, i % 2 ? MPI_INFO_NULL : info);
    MPI_Info_free(&info);
    from_bottom();
    return conform_end(0);
}
