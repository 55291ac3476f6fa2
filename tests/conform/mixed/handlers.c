/* SPDX-License-Identifier: BSD-3-Clause */
/* conform: layouts 1x300 */
/* Error handlers, operators and generalized requests of one language used in the other (MPI 17.2.6, 17.2.8). */
#include "conform.h"

#include <stddef.h>
#include <string.h>

MPI_Fint comm_handler(void), handler_1(void), win_handler(void), file_handler(void), get_handler(MPI_Fint comm);
void handled(int *n, MPI_Fint *object, int *code, int *wrong);
void set_handler(MPI_Fint comm, MPI_Fint errhandler);
int send_nowhere(MPI_Fint comm), call_handler(MPI_Fint comm, int code);
void owner(int value), operated(int *n, int *wrong);
MPI_Fint operator_of(int commutes);
int reduce(int value, MPI_Fint type, MPI_Fint op, MPI_Fint comm);
MPI_Fint request(void);
void requested(int *queries, int *frees, int *cancels, int *complete, int *wrong);
int finish(MPI_Fint number, int *cancelled);

/* ---- error handlers ---- */

static int calls, code_seen;
static MPI_Comm comm_seen;

static void handler(MPI_Comm *comm, int *code, ...)
{
    calls++;
    comm_seen = *comm;
    code_seen = *code;
}

static void fortran_was_called(int times, MPI_Fint object, int class)
{
    int n, code, wrong, its_class = MPI_SUCCESS;
    MPI_Fint handle;

    handled(&n, &handle, &code, &wrong);
    if (n)
        MPI_Error_class(code, &its_class);
    if (wrong || n != times || (n && (handle != object || its_class != class)))
        conform_error("the handler was called %d times, for %#x, class %d, %d wrong; not %d, %#x, %d", n, (unsigned)handle,
                      its_class, wrong, times, (unsigned)object, class);
}

static void handlers_of_comm(MPI_Comm comm, MPI_Fint number)
{
    MPI_Errhandler errhandler = MPI_Errhandler_f2c(number), got;
    int byte = 0;

    CHECK(errhandler != MPI_ERRHANDLER_NULL && MPI_Errhandler_c2f(errhandler) == number);
    CALL(MPI_Comm_set_errhandler(comm, errhandler));
    got = MPI_Errhandler_f2c(get_handler(MPI_Comm_c2f(comm)));
    CHECK(got == errhandler);
    CALL(MPI_Errhandler_free(&got));
    FAILS(MPI_ERR_RANK, MPI_Send(&byte, 1, MPI_CHAR, 1000000, 0, comm));
    fortran_was_called(1, MPI_Comm_c2f(comm), MPI_ERR_RANK);
    CHECK(send_nowhere(MPI_Comm_c2f(comm)) == MPI_ERR_RANK);
    fortran_was_called(1, MPI_Comm_c2f(comm), MPI_ERR_RANK);
    CALL(MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER));
    fortran_was_called(1, MPI_Comm_c2f(comm), MPI_ERR_OTHER);
    CALL(call_handler(MPI_Comm_c2f(comm), MPI_ERR_TAG));
    fortran_was_called(1, MPI_Comm_c2f(comm), MPI_ERR_TAG);
    CALL(MPI_Comm_get_errhandler(comm, &got));
    CHECK(MPI_Errhandler_c2f(got) == number);
    CALL(MPI_Errhandler_free(&got));
    CALL(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    CHECK(MPI_Errhandler_f2c(get_handler(MPI_Comm_c2f(comm))) == MPI_ERRORS_RETURN);
    FAILS(MPI_ERR_RANK, MPI_Send(&byte, 1, MPI_CHAR, 1000000, 0, comm));
    fortran_was_called(0, 0, 0);
    CALL(MPI_Errhandler_free(&errhandler));
}

/* C's, set and met in Fortran. */
static void handlers_of_c(MPI_Comm comm)
{
    MPI_Errhandler errhandler;

    calls = 0;
    CALL(MPI_Comm_create_errhandler(handler, &errhandler));
    set_handler(MPI_Comm_c2f(comm), MPI_Errhandler_c2f(errhandler));
    CALL(MPI_Errhandler_free(&errhandler));
    CHECK(send_nowhere(MPI_Comm_c2f(comm)) == MPI_ERR_RANK);
    CHECK(calls == 1 && comm_seen == comm);
    CALL(call_handler(MPI_Comm_c2f(comm), MPI_ERR_TAG));
    CHECK(calls == 2 && code_seen == MPI_ERR_TAG);
    CALL(MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL));
}

static void handlers_of_win(MPI_Comm comm)
{
    MPI_Win win;
    MPI_Errhandler errhandler = MPI_Errhandler_f2c(win_handler());
    char memory[8];

    CALL(MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, comm, &win));
    CALL(MPI_Win_set_errhandler(win, errhandler));
    CALL(MPI_Errhandler_free(&errhandler));
    CALL(MPI_Win_call_errhandler(win, MPI_ERR_ARG));
    fortran_was_called(1, MPI_Win_c2f(win), MPI_ERR_ARG);
    FAILS(MPI_ERR_RANK, MPI_Win_lock(MPI_LOCK_SHARED, 1000000, 0, win));
    fortran_was_called(1, MPI_Win_c2f(win), MPI_ERR_RANK);
    CALL(MPI_Win_free(&win));
}

/* ---- operators ---- */

static void most(void *in, void *inout, int *n, MPI_Datatype *type)
{
    const int *from = in;
    int *to = inout;

    CHECK(*type == MPI_INT);
    for (int i = 0; i < *n; i++)
        to[i] = from[i] > to[i] ? from[i] : to[i];
}

static void operators(MPI_Comm comm)
{
    int rank, size, n, wrong, all, mine[2000][2], result[2000][2];
    double matrix[2][2] = {{1, 0}, {0, 1}}, product[2][2];
    MPI_Datatype pair, square;
    MPI_Op op, ordered;
    MPI_Request request;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    owner(4711);
    op = MPI_Op_f2c(operator_of(1));
    ordered = MPI_Op_f2c(operator_of(0));
    CALL(MPI_Op_commutative(op, &n));
    CHECK(n);
    CALL(MPI_Op_commutative(ordered, &n));
    CHECK(!n);
    CALL(MPI_Type_contiguous(2, MPI_INT, &pair));
    CALL(MPI_Type_commit(&pair));
    CALL(MPI_Type_contiguous(4, MPI_DOUBLE, &square));
    CALL(MPI_Type_commit(&square));
    (void)MPI_Type_c2f(pair), (void)MPI_Type_c2f(square); /* without this Open MPI 4.1 gives Fortran's operators no number */
    for (int i = 0; i < 2000; i++) {
        mine[i][0] = (rank + i) % size;
        mine[i][1] = rank + i;
    }
    for (int elements = 1; elements <= 2000; elements += 1999)
        for (int way = 0; way < 3; way++) {
            memset(result, 0, sizeof result);
            if (way == 0)
                CALL(MPI_Allreduce(mine, result, elements, pair, op, comm));
            else if (way == 1) {
                CALL(MPI_Iallreduce(mine, result, elements, pair, op, comm, &request));
                CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
            } else {
                CALL(MPI_Reduce(mine, result, elements, pair, op, size - 1, comm));
            }
            for (int i = 0; i < elements && (way < 2 || rank == size - 1); i++)
                if (result[i][0] != size - 1 || result[i][1] != size * (size - 1) / 2 + size * i) {
                    conform_error("way %d, element %d of %d: %d, %d", way, i, elements, result[i][0], result[i][1]);
                    break;
                }
        }
    matrix[1][0] = rank + 1; /* Fortran's (1, 2): products add them */
    CALL(MPI_Allreduce(matrix, product, 1, square, ordered, comm));
    CHECK(product[1][0] == size * (size + 1) / 2 && product[0][0] == 1 && product[0][1] == 0);
    matrix[0][0] = 2; /* and now the order counts */
    CALL(MPI_Scan(matrix, product, 1, square, ordered, comm));
    double expected = 1;
    for (int i = 1; i <= rank && rank <= 30; i++)
        expected = (1 << i) * (i + 1.) + expected;
    CHECK(product[1][0] == expected || rank > 30);
    operated(&n, &wrong);
    CALL(MPI_Allreduce(&n, &all, 1, MPI_INT, MPI_SUM, comm));
    CHECK(wrong == 0 && (all > 0 || size == 1));
    CALL(MPI_Op_free(&op));
    CALL(MPI_Op_free(&ordered));
    CALL(MPI_Type_free(&pair));
    CALL(MPI_Type_free(&square));
    CALL(MPI_Op_create(most, 1, &op));
    CHECK(reduce(rank, MPI_Type_c2f(MPI_INT), MPI_Op_c2f(op), MPI_Comm_c2f(comm)) == size - 1);
    CALL(MPI_Op_free(&op));
}

/* ---- generalized requests ---- */

static void requests_were(int queries, int frees, int cancels, int complete)
{
    int was[4], wrong;

    requested(&was[0], &was[1], &was[2], &was[3], &wrong);
    if (wrong || was[0] != queries || was[1] != frees || was[2] != cancels || (cancels && was[3] != complete))
        conform_error("request: %d queries, %d frees, %d cancels, complete %d, %d wrong, not %d, %d, %d, %d", was[0], was[1],
                      was[2], was[3], wrong, queries, frees, cancels, complete);
}

static void requests(void)
{
    int n, flag, cancelled;
    MPI_Status status;
    MPI_Fint number = request();
    MPI_Request made = MPI_Request_f2c(number);

    CHECK(made != MPI_REQUEST_NULL);
    CALL(MPI_Test(&made, &flag, &status));
    CHECK(!flag);
    CALL(MPI_Grequest_complete(made));
    CALL(MPI_Wait(&made, &status));
    CHECK(made == MPI_REQUEST_NULL && status.MPI_SOURCE == 3 && status.MPI_TAG == 4);
    CALL(MPI_Get_count(&status, MPI_INT, &n));
    CHECK(n == 17);
    CALL(MPI_Test_cancelled(&status, &flag));
    CHECK(!flag);
    requests_were(1, 1, 0, 0);
    CHECK(finish(request(), &cancelled) == 17 && !cancelled);
    requests_were(1, 1, 0, 0);
    number = request();
    made = MPI_Request_f2c(number);
    CALL(MPI_Cancel(&made));
    requests_were(0, 0, 1, 0);
    CHECK(finish(number, &cancelled) == 17 && cancelled);
    requests_were(1, 1, 1, 0);
    made = MPI_Request_f2c(request());
    CALL(MPI_Grequest_complete(made));
    CALL(MPI_Cancel(&made));
    requests_were(0, 0, 1, 1);
    CALL(MPI_Request_free(&made));
    requests_were(0, 1, 1, 1);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    MPI_Errhandler errhandler;

    conform_init(&argc, &argv);
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    handlers_of_comm(comm, comm_handler());
    handlers_of_comm(MPI_COMM_WORLD, comm_handler());
    handlers_of_comm(MPI_COMM_SELF, handler_1());
    handlers_of_c(comm);
    handlers_of_c(MPI_COMM_WORLD);
    errhandler = MPI_Errhandler_f2c(file_handler());
    CALL(MPI_Errhandler_free(&errhandler));
    handlers_of_win(comm);
    operators(MPI_COMM_WORLD);
    operators(comm);
    operators(MPI_COMM_SELF);
    requests();
    CALL(MPI_Comm_free(&comm));
    return conform_end(0);
}
