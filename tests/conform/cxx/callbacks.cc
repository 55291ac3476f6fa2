/* SPDX-License-Identifier: BSD-3-Clause */
/* Callbacks of C++: static members, lambdas, attributes that are objects. */
#include "conform.h"

#include <string>

namespace {

struct note {
    std::string text;
    int *deleted;
    static int copy(MPI_Comm, int, void *, void *in, void *out, int *flag)
    {
        auto *old = static_cast<note *>(in);
        *static_cast<note **>(out) = new note{old->text + "'", old->deleted};
        *flag = 1;
        return MPI_SUCCESS;
    }
    static int drop(MPI_Comm, int, void *value, void *)
    {
        auto *it = static_cast<note *>(value);
        ++*it->deleted;
        delete it;
        return MPI_SUCCESS;
    }
};

int handled;

void attributes()
{
    int deleted = 0, key, flag;
    MPI_Comm copy, again;
    note *found = nullptr, *first = new note{"one", &deleted};
    CALL(MPI_Comm_create_keyval(note::copy, note::drop, &key, nullptr));
    CALL(MPI_Comm_set_attr(MPI_COMM_WORLD, key, first));
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    CALL(MPI_Comm_dup(copy, &again));
    CALL(MPI_Comm_get_attr(again, key, &found, &flag));
    CHECK(flag && found->text == "one''");
    CALL(MPI_Comm_free(&copy));
    CALL(MPI_Comm_free(&again));
    CALL(MPI_Comm_delete_attr(MPI_COMM_WORLD, key));
    CHECK(deleted == 3);
    CALL(MPI_Comm_free_keyval(&key));
}

void count(MPI_Comm *comm, int *code, ...)
{
    int error_class;
    MPI_Error_class(*code, &error_class);
    handled += *comm == MPI_COMM_WORLD && error_class == MPI_ERR_TAG;
}

void handlers()
{
    MPI_Errhandler handler;
    int value = 0;
    CALL(MPI_Comm_create_errhandler(count, &handler));
    CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
    CALL(MPI_Errhandler_free(&handler));
    CHECK(MPI_Send(&value, 1, MPI_INT, 0, -99, MPI_COMM_WORLD) != MPI_SUCCESS);
    CHECK(handled == 1);
    CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

void operators()
{
    MPI_Op op;
    int rank, size, result = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CALL(MPI_Op_create(
        [](void *in, void *inout, int *n, MPI_Datatype *type) {
            CHECK(*type == MPI_INT);
            for (int i = 0; i < *n; i++)
                static_cast<int *>(inout)[i] |= static_cast<int *>(in)[i];
        },
        1, &op));
    int bit = 1 << (rank % 20);
    CALL(MPI_Allreduce(&bit, &result, 1, MPI_INT, op, MPI_COMM_WORLD));
    CHECK(size > 20 || result == (1 << size) - 1);
    CALL(MPI_Op_free(&op));
}

} // namespace

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    attributes();
    handlers();
    operators();
    return conform_end(0);
}
