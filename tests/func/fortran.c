/* SPDX-License-Identifier: BSD-3-Clause */
/* fortran.c: handles as numbers and back (MPI 17.2.4). */
#include "pairs.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const MPI_Fint null_number = 0x38000000;

static void nobody(ep_comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
}

static void constants(team_t *t, void *arg)
{
    (void)t;
    (void)arg;
    EXPECT_EQ(ep_comm_c2f(EP_COMM_NULL), null_number);
    EXPECT_EQ(ep_group_c2f(EP_GROUP_NULL), null_number);
    EXPECT_EQ(ep_request_c2f(EP_REQUEST_NULL), null_number);
    EXPECT_EQ(ep_message_c2f(EP_MESSAGE_NULL), null_number);
    EXPECT_EQ(ep_errhandler_c2f(EP_ERRHANDLER_NULL), null_number);
    EXPECT(ep_comm_f2c(null_number) == EP_COMM_NULL);
    EXPECT(ep_group_f2c(null_number) == EP_GROUP_NULL);
    EXPECT(ep_request_f2c(null_number) == EP_REQUEST_NULL);
    EXPECT(ep_message_f2c(null_number) == EP_MESSAGE_NULL);
    EXPECT(ep_errhandler_f2c(null_number) == EP_ERRHANDLER_NULL);
    EXPECT(ep_comm_f2c(ep_comm_c2f(EP_COMM_WORLD)) == EP_COMM_WORLD);
    EXPECT(ep_comm_f2c(ep_comm_c2f(EP_COMM_SELF)) == EP_COMM_SELF);
    EXPECT(ep_group_f2c(ep_group_c2f(EP_GROUP_EMPTY)) == EP_GROUP_EMPTY);
    EXPECT(ep_message_f2c(ep_message_c2f(EP_MESSAGE_NO_PROC)) == EP_MESSAGE_NO_PROC);
    EXPECT(ep_errhandler_f2c(ep_errhandler_c2f(EP_ERRORS_ARE_FATAL)) == EP_ERRORS_ARE_FATAL);
    EXPECT(ep_errhandler_f2c(ep_errhandler_c2f(EP_ERRORS_RETURN)) == EP_ERRORS_RETURN);
    const MPI_Fint strange[] = {-1, 0, 1, 2, 3, 15, null_number - 1, null_number + 7, null_number + 15, 0x3c000000, 0x7fffffff, -0x7fffffff};
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
        EXPECT(ep_comm_f2c(strange[i]) == EP_COMM_NULL);
        EXPECT(ep_group_f2c(strange[i]) == EP_GROUP_NULL);
        EXPECT(ep_request_f2c(strange[i]) == EP_REQUEST_NULL);
        EXPECT(ep_message_f2c(strange[i]) == EP_MESSAGE_NULL);
        EXPECT(ep_errhandler_f2c(strange[i]) == EP_ERRHANDLER_NULL);
    }
}

/* A number that gets to the MPI underneath by mistake is no handle there. */
static void strangers(team_t *t, void *arg)
{
    ep_group group = EP_GROUP_NULL;
    int n;
    (void)arg;
    EXPECT_OK(ep_comm_group(t->comm, &group));
    const MPI_Fint comms[] = {ep_comm_c2f(EP_COMM_NULL), ep_comm_c2f(EP_COMM_WORLD), ep_comm_c2f(EP_COMM_SELF),
                              ep_comm_c2f(t->comm)};
    const MPI_Fint groups[] = {ep_group_c2f(EP_GROUP_NULL), ep_group_c2f(EP_GROUP_EMPTY), ep_group_c2f(group)};
    if (t->index == 0) {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
        for (size_t i = 0; i < sizeof comms / sizeof *comms; i++)
            EXPECT(MPI_Comm_size(MPI_Comm_f2c(comms[i]), &n) != MPI_SUCCESS);
        for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
            EXPECT(MPI_Group_size(MPI_Group_f2c(groups[i]), &n) != MPI_SUCCESS);
    }
    EXPECT_OK(ep_group_free(&group));
}

/* A number means one object of one kind, as long as that lives. */
static void objects(team_t *t, void *arg)
{
    ep_group group = EP_GROUP_NULL;
    ep_errhandler handler = EP_ERRHANDLER_NULL;
    ep_request request = EP_REQUEST_NULL;
    int x = 0;
    (void)arg;
    EXPECT_OK(ep_comm_group(t->comm, &group));
    EXPECT_OK(ep_comm_create_errhandler(nobody, &handler));
    EXPECT_OK(ep_irecv(&x, 1, MPI_INT, t->rank, 4, t->comm, &request));
    MPI_Fint c = ep_comm_c2f(t->comm), g = ep_group_c2f(group), e = ep_errhandler_c2f(handler),
             r = ep_request_c2f(request);
    EXPECT(c != null_number && g != null_number && e != null_number && r != null_number);
    EXPECT_EQ(ep_comm_c2f(t->comm), c);
    EXPECT_EQ(ep_group_c2f(group), g);
    EXPECT_EQ(ep_errhandler_c2f(handler), e);
    EXPECT_EQ(ep_request_c2f(request), r);
    EXPECT(ep_comm_f2c(c) == t->comm);
    EXPECT(ep_group_f2c(g) == group);
    EXPECT(ep_errhandler_f2c(e) == handler);
    EXPECT(ep_request_f2c(r) == request);
    EXPECT(ep_comm_f2c(g) == EP_COMM_NULL);
    EXPECT(ep_group_f2c(c) == EP_GROUP_NULL);
    EXPECT(ep_errhandler_f2c(r) == EP_ERRHANDLER_NULL);
    EXPECT(ep_request_f2c(e) == EP_REQUEST_NULL);
    EXPECT(ep_message_f2c(r) == EP_MESSAGE_NULL);
    EXPECT_OK(ep_send(&x, 1, MPI_INT, t->rank, 4, t->comm));
    EXPECT_OK(ep_wait(&request, EP_STATUS_IGNORE));
    EXPECT(ep_request_f2c(r) == EP_REQUEST_NULL);
    EXPECT_OK(ep_group_free(&group));
    EXPECT(ep_group_f2c(g) == EP_GROUP_NULL);
    /* in use by the communicator, but no longer the user's */
    EXPECT_OK(ep_comm_set_errhandler(t->comm, handler));
    EXPECT_OK(ep_errhandler_free(&handler));
    EXPECT(ep_errhandler_f2c(e) == EP_ERRHANDLER_NULL);
    ep_comm stale = t->comm;
    EXPECT_OK(ep_comm_free(&t->comm));
    EXPECT(ep_comm_f2c(c) == EP_COMM_NULL);
    EXPECT_EQ(ep_comm_c2f(stale), null_number);
}

/* Endpoints of one communicator are different objects. */
static void endpoints_differ(team_t *t, void *arg)
{
    MPI_Fint *numbers = arg;
    numbers[t->index] = ep_comm_c2f(t->comm);
    team_barrier(t);
    for (int i = 0; i < t->local; i++)
        EXPECT_EQ(numbers[i] == numbers[t->index], i == t->index);
    team_barrier(t);
}

static void many_endpoints(void)
{
    MPI_Fint *numbers = xmalloc((size_t)team_local_count() * sizeof *numbers);
    team_run(endpoints_differ, numbers);
    free(numbers);
}

static void requests(team_t *t, void *arg)
{
    ep_request request = EP_REQUEST_NULL;
    MPI_Fint number, again;
    int x = 0, value = t->rank;
    (void)arg;
    /* complete when the call returns */
    EXPECT_OK(ep_isend(&value, 1, MPI_INT, t->rank, 1, t->comm, &request));
    number = ep_request_c2f(request);
    EXPECT(number != null_number);
    EXPECT(ep_request_f2c(number) == request);
    EXPECT_OK(ep_recv(&x, 1, MPI_INT, t->rank, 1, t->comm, EP_STATUS_IGNORE));
    request = ep_request_f2c(number);
    EXPECT_OK(ep_wait(&request, EP_STATUS_IGNORE));
    EXPECT_EQ(ep_request_c2f(request), null_number);
    /* the next request has the memory of the last one, but not its number */
    number = 0;
    for (int i = 0; i < 3; i++) {
        EXPECT_OK(ep_irecv(&x, 1, MPI_INT, t->rank, 1, t->comm, &request));
        EXPECT(ep_request_f2c(number) == EP_REQUEST_NULL);
        EXPECT(ep_request_c2f(request) != number);
        number = ep_request_c2f(request);
        EXPECT_OK(ep_send(&value, 1, MPI_INT, t->rank, 1, t->comm));
        EXPECT_OK(ep_wait(&request, EP_STATUS_IGNORE));
    }
    /* persistent: the number stays from start to start */
    EXPECT_OK(ep_recv_init(&x, 1, MPI_INT, t->rank, 2, t->comm, &request));
    number = ep_request_c2f(request);
    for (int i = 0; i < 3; i++) {
        value = 10 * t->rank + i;
        request = ep_request_f2c(number);
        EXPECT_OK(ep_start(&request));
        EXPECT_OK(ep_send(&value, 1, MPI_INT, t->rank, 2, t->comm));
        request = ep_request_f2c(number);
        EXPECT_OK(ep_wait(&request, EP_STATUS_IGNORE));
        EXPECT_EQ(x, value);
        EXPECT_EQ(ep_request_c2f(request), number);
    }
    EXPECT_OK(ep_request_free(&request));
    EXPECT(ep_request_f2c(number) == EP_REQUEST_NULL);
    /* given up while active */
    EXPECT_OK(ep_irecv(&x, 1, MPI_INT, t->rank, 3, t->comm, &request));
    number = ep_request_c2f(request);
    EXPECT_OK(ep_request_free(&request));
    EXPECT(ep_request_f2c(number) == EP_REQUEST_NULL);
    EXPECT_OK(ep_send(&value, 1, MPI_INT, t->rank, 3, t->comm));
    EXPECT_OK(ep_irecv(&x, 1, MPI_INT, t->rank, 3, t->comm, &request));
    again = ep_request_c2f(request);
    EXPECT(again != number);
    EXPECT(ep_request_f2c(number) == EP_REQUEST_NULL);
    EXPECT_OK(ep_send(&value, 1, MPI_INT, t->rank, 3, t->comm));
    EXPECT_OK(ep_wait(&request, EP_STATUS_IGNORE));
}

static int nothing(void *extra)
{
    (void)extra;
    return MPI_SUCCESS;
}

static int empty(void *extra, ep_status *status)
{
    (void)extra;
    EXPECT_OK(ep_status_set_elements(status, MPI_BYTE, 0));
    return MPI_SUCCESS;
}

static int not_cancelled(void *extra, int complete)
{
    (void)extra, (void)complete;
    return MPI_SUCCESS;
}

/* The number of a generalized request ends with it, also where a later one gets its memory. */
static void generalized(team_t *t, void *arg)
{
    enum { MANY = 1000 };
    MPI_Fint number = null_number;
    (void)arg;
    for (int i = 0; i < MANY; i++) {
        ep_request request;
        EXPECT_OK(ep_grequest_start(empty, nothing, not_cancelled, NULL, &request));
        EXPECT(ep_request_f2c(number) == EP_REQUEST_NULL);
        if (i == 0)
            number = ep_request_c2f(request);
        EXPECT_OK(ep_grequest_complete(request));
        EXPECT_OK(ep_wait(&request, EP_STATUS_IGNORE));
    }
    (void)t;
}

static void messages(team_t *t, void *arg)
{
    ep_message message = EP_MESSAGE_NULL;
    int x = -1, next = (t->rank + 1) % t->size, before = (t->rank + t->size - 1) % t->size;
    (void)arg;
    for (int i = 0; i < 3; i++) {
        EXPECT_OK(ep_send(&t->rank, 1, MPI_INT, next, i, t->comm));
        EXPECT_OK(ep_mprobe(before, i, t->comm, &message, EP_STATUS_IGNORE));
        MPI_Fint number = ep_message_c2f(message);
        EXPECT(number != null_number);
        EXPECT_EQ(ep_message_c2f(message), number);
        EXPECT(ep_message_f2c(number) == message);
        message = ep_message_f2c(number);
        EXPECT_OK(ep_mrecv(&x, 1, MPI_INT, &message, EP_STATUS_IGNORE));
        EXPECT_EQ(x, before);
        EXPECT_EQ(ep_message_c2f(message), null_number);
        EXPECT(ep_message_f2c(number) == EP_MESSAGE_NULL);
    }
}

/* A number is not used again soon, and yet the numbers do not run away. */
static void reuse(team_t *t, void *arg)
{
    enum { MANY = 6000, SOON = 100 };
    ep_errhandler handler;
    MPI_Fint highest = 0, recent[SOON] = {0};
    (void)arg;
    for (int i = 0; i < MANY && t->index == 0; i++) { /* alone: others would use numbers up meanwhile */
        int again = 0;
        EXPECT_OK(ep_comm_create_errhandler(nobody, &handler));
        MPI_Fint number = ep_errhandler_c2f(handler);
        for (int k = 0; k < SOON; k++)
            again += recent[k] == number;
        EXPECT(number != 0 && !again);
        EXPECT_OK(ep_errhandler_free(&handler));
        highest = number > highest ? number : highest;
        recent[i % SOON] = number;
    }
    EXPECT(highest - null_number < MANY / 2);
    team_barrier(t);
}

/* The same of requests, whose memory is used again at once; a number is not the next user's. */
static void uses(team_t *t, void *arg)
{
    enum { MANY = 3000, SOON = 1000 };
    MPI_Fint recent[SOON] = {0};
    int x, value = 7;
    (void)arg;
    for (int i = 0; i < MANY; i++) {
        int again = 0;
        ep_request request = EP_REQUEST_NULL;
        EXPECT_OK(ep_irecv(&x, 1, MPI_INT, t->rank, 1, t->comm, &request));
        MPI_Fint number = ep_request_c2f(request);
        for (int k = 0; k < SOON; k++)
            again += recent[k] == number;
        EXPECT(number != null_number && !again);
        EXPECT(ep_request_f2c(number) == request);
        EXPECT(ep_request_f2c(recent[(i + SOON - 1) % SOON]) == EP_REQUEST_NULL);
        EXPECT_OK(ep_send(&value, 1, MPI_INT, t->rank, 1, t->comm));
        EXPECT_OK(ep_wait(&request, EP_STATUS_IGNORE));
        EXPECT(ep_request_f2c(number) == EP_REQUEST_NULL);
        recent[i % SOON] = number;
    }
}

/* ---- two threads want the number of one object ---- */

static void *ask(void *arg)
{
    MPI_Fint *number = malloc(sizeof *number);
    if (number)
        *number = ep_comm_c2f(arg);
    return number;
}

static void two_threads(team_t *t, void *arg)
{
    enum { ROUNDS = 50 };
    (void)arg;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_t other;
        ep_comm dup = EP_COMM_NULL;
        void *theirs = NULL;
        if (!EXPECT_OK(ep_comm_dup(t->comm, &dup)))
            return;
        int started = EXPECT(pthread_create(&other, NULL, ask, dup) == 0);
        MPI_Fint mine = ep_comm_c2f(dup);
        if (started)
            pthread_join(other, &theirs);
        if (EXPECT(theirs))
            EXPECT_EQ(*(MPI_Fint *)theirs, mine);
        EXPECT(ep_comm_f2c(mine) == dup);
        free(theirs);
        EXPECT_OK(ep_comm_free(&dup));
        EXPECT(ep_comm_f2c(mine) == EP_COMM_NULL);
    }
}

static void statuses(team_t *t, void *arg)
{
    const MPI_Count counts[] = {
        0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x123456789abcdef, 0x7ffffffffffffffe};
    MPI_Fint numbers[EP_F_STATUS_SIZE];
    ep_f08_status f08;
    ep_status in, out;
    (void)arg;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (int cancelled = 0; cancelled < 2; cancelled++) {
            MPI_Count bytes = -1;
            int flag = -1;
            memset(&in, 0, sizeof in);
            memset(&out, 0x55, sizeof out);
            in.MPI_SOURCE = t->rank;
            in.MPI_TAG = 0x12345678 - (int)i;
            in.MPI_ERROR = MPI_ERR_TRUNCATE;
            EXPECT_OK(ep_status_set_elements_x(&in, MPI_BYTE, counts[i]));
            EXPECT_OK(ep_status_set_cancelled(&in, cancelled));
            EXPECT_OK(ep_status_c2f(&in, numbers));
            EXPECT_EQ(numbers[0], t->rank);
            EXPECT_EQ(numbers[1], in.MPI_TAG);
            EXPECT_EQ(numbers[2], MPI_ERR_TRUNCATE);
            EXPECT_OK(ep_status_f2c(numbers, &out));
            EXPECT_EQ(out.MPI_SOURCE, in.MPI_SOURCE);
            EXPECT_EQ(out.MPI_TAG, in.MPI_TAG);
            EXPECT_EQ(out.MPI_ERROR, in.MPI_ERROR);
            EXPECT_OK(ep_test_cancelled(&out, &flag));
            EXPECT_EQ(flag, cancelled);
            EXPECT_OK(ep_get_elements_x(&out, MPI_BYTE, &bytes));
            EXPECT_EQ(bytes, counts[i]);
            EXPECT_OK(ep_status_c2f08(&in, &f08));
            EXPECT_EQ(f08.MPI_SOURCE, t->rank);
            EXPECT_EQ(memcmp(&f08, numbers, sizeof numbers), 0);
            memset(&out, 0x55, sizeof out);
            EXPECT_OK(ep_status_f082c(&f08, &out));
            EXPECT_OK(ep_get_elements_x(&out, MPI_BYTE, &bytes));
            EXPECT_EQ(bytes, counts[i]);
        }
}

static void bad_statuses(void)
{
    MPI_Fint numbers[EP_F_STATUS_SIZE] = {0};
    ep_f08_status f08 = {0};
    ep_status status;
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN));
    EXPECT_RC(ep_status_c2f(NULL, numbers), MPI_ERR_ARG);
    EXPECT_RC(ep_status_c2f(&status, NULL), MPI_ERR_ARG);
    EXPECT_RC(ep_status_f2c(NULL, &status), MPI_ERR_ARG);
    EXPECT_RC(ep_status_f2c(numbers, NULL), MPI_ERR_ARG);
    EXPECT_RC(ep_status_c2f08(NULL, &f08), MPI_ERR_ARG);
    EXPECT_RC(ep_status_c2f08(&status, NULL), MPI_ERR_ARG);
    EXPECT_RC(ep_status_f082c(NULL, &status), MPI_ERR_ARG);
    EXPECT_RC(ep_status_f082c(&f08, NULL), MPI_ERR_ARG);
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_ARE_FATAL));
}

static const harness_test tests[] = {
    {"constants", constants, NULL},
    {"strangers", strangers, NULL},
    {"objects", objects, NULL},
    {"endpoints differ", NULL, many_endpoints},
    {"requests", requests, NULL},
    {"generalized requests", generalized, NULL},
    {"messages", messages, NULL},
    {"reuse", reuse, NULL},
    {"uses", uses, NULL},
    {"two threads", two_threads, NULL},
    {"statuses", statuses, NULL},
    {"bad statuses", NULL, bad_statuses},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "fortran", tests);
}
