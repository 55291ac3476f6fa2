/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * handles.c: what is no handle, or not of that kind, is an error of its class, over any MPI underneath: datatypes, operators and infos, which
 * are its own, and ep's. So are wrong arguments of the functions that MPI does not have.
 */
#include "harness.h"
#include <string.h>
#include <ep_counter.h>

/* ---- the MPI underneath's ---- */

/* Memory that holds no object. */
static _Alignas(64) char letters[256];

#ifdef OPEN_MPI
static _Alignas(64) char zeros[256];
#define MAKE(kind, bits) ((kind)(uintptr_t)(bits))
static const uintptr_t garbage[] = {7, 64, 0x44000001};
#else
#define MAKE(kind, bits) ((kind)(bits))
/* Of every kind of object, with numbers that none has: built in, of the first ones and of later ones; and what no kind is. */
static const unsigned garbage[] = {7,          0xdeadbeef, 0x0c000000, 0x44000007, 0x4c0000ff, 0x4c00ff05, 0x4c000277, 0x4fffffff,
                                   0x58000000, 0x5800007f, 0x580000ff, 0x5bffffff, 0x5c000003, 0x8c000030, 0x8c00ffff, 0x8fffffff,
                                   0x98000030, 0x9bffffff, 0x9c000040, 0x9fffffff, 0xcc000fff, 0xccffffff, 0xcfffffff, 0xd8000fff,
                                   0xd8ffffff, 0xdbffffff, 0xdcffffff, 0xdfffffff, 0xffffffff};
#endif
enum { GARBAGE = sizeof garbage / sizeof garbage[0] };

/* The number says which, if it is wrong. */
static void wrong(team_t *t, int rc, int want, size_t which)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    (void)t;
    if (!EXPECT_RC(rc, want)) {
        EXPECT_EQ(which, (size_t)-1);
        return;
    }
    EXPECT_OK(ep_error_string(rc, text, &length));
    EXPECT(length > 0);
}

static void types(team_t *t, MPI_Datatype type, size_t which)
{
    int x[4] = {0}, n = 0;
    ep_request r = EP_REQUEST_NULL;
    ep_status s = {.ep_bytes = 4};
    wrong(t, ep_send(x, 1, type, MPI_PROC_NULL, 0, t->comm), MPI_ERR_TYPE, which);
    wrong(t, ep_irecv(x, 1, type, MPI_PROC_NULL, 0, t->comm, &r), MPI_ERR_TYPE, which);
    wrong(t, ep_send_init(x, 1, type, MPI_PROC_NULL, 0, t->comm, &r), MPI_ERR_TYPE, which);
    wrong(t, ep_get_count(&s, type, &n), MPI_ERR_TYPE, which);
    wrong(t, ep_bcast(x, 1, type, 0, t->comm), MPI_ERR_TYPE, which);
    wrong(t, ep_allreduce(x, x + 2, 1, type, MPI_SUM, t->comm), MPI_ERR_TYPE, which);
    wrong(t, ep_reduce_local(x, x + 2, 1, type, MPI_SUM), MPI_ERR_TYPE, which);
}

static void operators(team_t *t, MPI_Op op, size_t which)
{
    int x[4] = {0}, yes = 0;
    MPI_Op again = op;
    wrong(t, ep_allreduce(x, x + 2, 1, MPI_INT, op, t->comm), MPI_ERR_OP, which);
    wrong(t, ep_scan(x, x + 2, 1, MPI_INT, op, t->comm), MPI_ERR_OP, which);
    wrong(t, ep_reduce_local(x, x + 2, 1, MPI_INT, op), MPI_ERR_OP, which);
    wrong(t, ep_op_commutative(op, &yes), MPI_ERR_OP, which);
    wrong(t, ep_op_free(&again), MPI_ERR_OP, which);
}

static void infos(team_t *t, MPI_Info info, size_t which)
{
    ep_win win;
    wrong(t, ep_comm_set_info(t->comm, info), MPI_ERR_INFO, which);
    wrong(t, ep_win_create_dynamic(info, t->comm, &win), MPI_ERR_INFO, which);
}

static void underneath(team_t *t, void *arg)
{
    (void)arg;
    for (size_t i = 0; i < GARBAGE; i++) {
        types(t, MAKE(MPI_Datatype, garbage[i]), i);
        operators(t, MAKE(MPI_Op, garbage[i]), i);
        infos(t, MAKE(MPI_Info, garbage[i]), i);
    }
#ifdef OPEN_MPI
    types(t, MAKE(MPI_Datatype, zeros), 100);
    operators(t, MAKE(MPI_Op, letters), 101);
    infos(t, MAKE(MPI_Info, letters + 8), 102);
    types(t, MAKE(MPI_Datatype, MPI_SUM), 103);
    operators(t, MAKE(MPI_Op, MPI_INT), 104);
    infos(t, MAKE(MPI_Info, MPI_INT), 105);
    types(t, MAKE(MPI_Datatype, t->comm), 106);
    operators(t, MAKE(MPI_Op, t->comm), 107);
#else
    types(t, MAKE(MPI_Datatype, MPI_SUM), 103);
    operators(t, MAKE(MPI_Op, MPI_INT), 104);
    infos(t, MAKE(MPI_Info, MPI_INT), 105);
#endif
    types(t, MPI_DATATYPE_NULL, 108);
    operators(t, MPI_OP_NULL, 109);
}

/* What belongs to no communicator goes to the handler of EP_COMM_WORLD. */
static void run_returning(void (*body)(team_t *, void *))
{
    memset(letters, 'x', sizeof letters);
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN));
    team_run(body, NULL);
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_ARE_FATAL));
}

static void run_underneath(void)
{
    run_returning(underneath);
}

/* Those that were right ones. MPICH keeps nothing that would tell. */
#ifdef OPEN_MPI
static void freed(team_t *t, void *arg)
{
    MPI_Datatype type, free_type;
    (void)arg;
    MPI_Type_contiguous(3, MPI_INT, &type);
    MPI_Type_commit(&type);
    free_type = type;
    MPI_Type_free(&type);
    types(t, free_type, 0);
}

/* One endpoint alone: what is freed in one may be what another gets. */
static void freed_in_one(team_t *t, void *arg)
{
    if (t->index == 0)
        freed(t, arg);
}

static void run_freed(void)
{
    run_returning(freed_in_one);
}
#endif

/* ---- functions that MPI does not have ---- */

static int nothing(ep_comm world, void *arg)
{
    (void)world, (void)arg;
    return 0;
}

static const uintptr_t bad[] = {7, 64, 0x44000001, 0xdeadbeefdeadbeefu};

static void own_comms(team_t *t, ep_comm comm, size_t which)
{
    MPI_Comm classic;
    MPI_Count value, values[2];
    wrong(t, ep_comm_get_mpi_comm(comm, &classic), MPI_ERR_COMM, which);
    wrong(t, ep_counter_read(comm, 0, &value), MPI_ERR_COMM, which);
    wrong(t, ep_counter_read_all(comm, 2, values), MPI_ERR_COMM, which);
    wrong(t, ep_counter_reset(comm), MPI_ERR_COMM, which);
    if (comm != EP_COMM_NULL)
        wrong(t, ep_thread_bind(comm), MPI_ERR_COMM, which);
}

static void own_requests(team_t *t, ep_request r, size_t which)
{
    ep_request one = r, several[2] = {EP_REQUEST_NULL, r};
    ep_status s[2];
    wrong(t, ep_iwait(&one, s), MPI_ERR_REQUEST, which);
    wrong(t, ep_iwaitall(2, several, s), MPI_ERR_REQUEST, which);
    wrong(t, ep_iwait_event(&one, s, 1), MPI_ERR_REQUEST, which);
}

static void own_numbers(team_t *t)
{
    ep_request r = EP_REQUEST_NULL;
    ep_status s;
    int i = 0;
    MPI_Count value;
    wrong(t, ep_comm_get_mpi_comm(t->comm, NULL), MPI_ERR_ARG, 0);
    wrong(t, ep_iwait(NULL, &s), MPI_ERR_ARG, 1);
    wrong(t, ep_iwaitall(1, NULL, &s), MPI_ERR_REQUEST, 2);
    wrong(t, ep_iwaitall(-1, &r, &s), MPI_ERR_COUNT, 3);
    wrong(t, ep_iwait_event(NULL, &s, 1), MPI_ERR_ARG, 4);
    wrong(t, ep_iwait_event(&r, &s, 0), MPI_ERR_ARG, 5);
    wrong(t, ep_counter_count(NULL), MPI_ERR_ARG, 6);
    wrong(t, ep_counter_info(-1, NULL, NULL, NULL, NULL), MPI_ERR_ARG, 7);
    wrong(t, ep_counter_info(1 << 20, NULL, NULL, NULL, NULL), MPI_ERR_ARG, 8);
    wrong(t, ep_counter_find(NULL, &i), MPI_ERR_ARG, 9);
    wrong(t, ep_counter_find("no such counter", &i), MPI_ERR_ARG, 10);
    wrong(t, ep_counter_find("no such counter", NULL), MPI_ERR_ARG, 11);
    wrong(t, ep_counter_read(t->comm, -1, &value), MPI_ERR_ARG, 12);
    wrong(t, ep_counter_read(t->comm, 1 << 20, &value), MPI_ERR_ARG, 13);
    wrong(t, ep_counter_read(t->comm, 0, NULL), MPI_ERR_ARG, 14);
    wrong(t, ep_counter_read_all(t->comm, -1, &value), MPI_ERR_ARG, 15);
    wrong(t, ep_counter_read_all(t->comm, 1 << 20, &value), MPI_ERR_ARG, 16);
    wrong(t, ep_counter_read_all(t->comm, 1, NULL), MPI_ERR_ARG, 17);
    wrong(t, ep_run(1, NULL, NULL), MPI_ERR_ARG, 18);
    wrong(t, ep_thread_bind(EP_COMM_SELF), MPI_ERR_COMM, 19);
}

static void own(team_t *t, void *arg)
{
    ep_comm gone, old;
    ep_request ended = EP_REQUEST_NULL, over;
    char x = 0;
    (void)arg;
    EXPECT_OK(ep_comm_dup(t->comm, &gone));
    old = gone;
    EXPECT_OK(ep_comm_free(&gone));
    EXPECT_OK(ep_send_init(&x, 1, MPI_CHAR, MPI_PROC_NULL, 0, t->comm, &ended));
    over = ended;
    EXPECT_OK(ep_request_free(&ended));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        own_comms(t, (ep_comm)bad[i], i);
        own_requests(t, (ep_request)bad[i], i);
    }
    own_comms(t, (ep_comm)(void *)letters, 10);
    own_comms(t, (ep_comm)(void *)over, 11);
    own_comms(t, old, 12);
    own_comms(t, EP_COMM_NULL, 13);
    own_requests(t, (ep_request)(void *)letters, 10);
    own_requests(t, (ep_request)(void *)t->comm, 11);
    own_requests(t, over, 12);
    own_numbers(t);
}

/* By the process, of which one thread makes them. */
static void make(MPI_Comm parent, int n, MPI_Info info, ep_comm made[], int want)
{
    EXPECT_RC(ep_comm_create_endpoints(parent, n, info, made), want);
}

static void run_own(void)
{
    ep_comm made[2];
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN));
    make(MPI_COMM_NULL, 1, MPI_INFO_NULL, made, MPI_ERR_COMM);
    make(MPI_COMM_WORLD, -1, MPI_INFO_NULL, made, MPI_ERR_ARG);
    make(MPI_COMM_WORLD, 1, MPI_INFO_NULL, NULL, MPI_ERR_ARG);
    for (size_t i = 0; i < GARBAGE; i++) {
        make(MAKE(MPI_Comm, garbage[i]), 1, MPI_INFO_NULL, made, MPI_ERR_COMM);
        make(MPI_COMM_WORLD, 1, MAKE(MPI_Info, garbage[i]), made, MPI_ERR_INFO);
    }
    EXPECT_RC(ep_run(-1, nothing, NULL), MPI_ERR_ARG);
    run_returning(own);
}

static const harness_test tests[] = {
    {"underneath", NULL, run_underneath},
#ifdef OPEN_MPI
    {"freed", NULL, run_freed},
#endif
    {"own", NULL, run_own}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "handles", tests);
}
