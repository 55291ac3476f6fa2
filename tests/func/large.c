/* SPDX-License-Identifier: BSD-3-Clause */
/* large.c: one message of more than 2 GiB, where memory allows. The sender sends one MiB over and over (a type
 * with stride 0), so that only the receiver needs the room. */
#include "pairs.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MIB = 1 << 20, COUNT = 2049 };

static void check_large(const ep_status *status, MPI_Datatype block, const unsigned char *in,
                        const unsigned char *out)
{
    MPI_Count elements = -1;
    int count = -1;
    EXPECT_OK(ep_get_count(status, block, &count));
    EXPECT_EQ(count, COUNT);
    EXPECT_OK(ep_get_count(status, MPI_BYTE, &count));
    EXPECT_EQ(count, MPI_UNDEFINED);
    EXPECT_OK(ep_get_elements(status, MPI_BYTE, &count));
    EXPECT_EQ(count, MPI_UNDEFINED);
    EXPECT_OK(ep_get_elements_x(status, MPI_BYTE, &elements));
    EXPECT_EQ(elements, (MPI_Count)COUNT * MIB);
    for (size_t i = 0; i < COUNT; i++)
        if (!EXPECT(memcmp(in + i * MIB, out, MIB) == 0))
            break;
}

static void send_large(team_t *t, int from, int to)
{
    MPI_Datatype block, again;
    unsigned char *out = xmalloc(MIB), *in = NULL;
    fill(out, MIB, 3);
    MPI_Type_contiguous(MIB, MPI_BYTE, &block);
    MPI_Type_commit(&block);
    MPI_Type_create_hvector(COUNT, 1, 0, block, &again);
    MPI_Type_commit(&again);
    if (t->rank == from)
        EXPECT_OK(ep_send(out, 1, again, to, 1, t->comm));
    if (t->rank == to) {
        ep_status status;
        in = malloc((size_t)COUNT * MIB);
        if (EXPECT(in != NULL)) {
            EXPECT_OK(ep_recv(in, COUNT, block, from, 1, t->comm, &status));
            check_large(&status, block, in, out);
        }
        free(in);
    }
    MPI_Type_free(&again);
    MPI_Type_free(&block);
    free(out);
}

static void large(team_t *t, void *arg)
{
    int partner = t->size - 1;
    (void)arg;
    if (t->size < 2)
        return;
    send_large(t, 0, 1);
    team_barrier(t);
    if (!team_near(t, partner) || partner != 1)
        send_large(t, 0, partner);
}

static void guarded(void)
{
    long mib = harness_available_mib(), least;
    MPI_Allreduce(&mib, &least, 1, MPI_LONG, MPI_MIN, MPI_COMM_WORLD);
    if (least > 5000 && harness_slowness() == 1)
        team_run(large, NULL);
    else
        printf("large: left out, %ld MiB of memory, slowness %d\n", least, harness_slowness());
}

static const harness_test tests[] = {{"more than 2 GiB", NULL, guarded}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "large", tests);
}
