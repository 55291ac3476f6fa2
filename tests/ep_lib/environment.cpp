/* SPDX-License-Identifier: BSD-3-Clause */
/* Starting, errors, infos, memory, datatypes, operators. */
#include "check.hpp"
#include <cstddef>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

using namespace ep_lib;

/* Constants are there before main, and before the library's own objects are made. */
struct before_main {
    MPI_Datatype datatype;
    MPI_Op op;
    MPI_Comm comm;
    int error_class;
    void *in_place;
    before_main()
        : datatype(MPI_DOUBLE), op(EP_SUM), comm(MPI_COMM_WORLD), error_class(MPI_ERR_RANK),
          in_place(MPI_IN_PLACE)
    {
    }
};
static before_main early;
static MPI_Comm static_comm = MPI_COMM_NULL;
static MPI_Request static_requests[4];

static void test_constants()
{
    CHECK(early.datatype == MPI_DOUBLE && early.datatype == EP_DOUBLE && early.datatype != MPI_INT);
    CHECK(early.op == MPI_SUM && early.op != MPI_MAX);
    CHECK(early.comm == MPI_COMM_WORLD && early.comm != MPI_COMM_SELF && static_comm == MPI_COMM_NULL);
    CHECK(early.error_class == MPI_ERR_RANK && early.error_class > 0);
    CHECK(early.in_place == MPI_IN_PLACE && early.in_place != nullptr);
    CHECK(static_requests[3] == MPI_REQUEST_NULL);
    CHECK(MPI_LONG_LONG == MPI_LONG_LONG_INT && EP_CHAR == MPI_CHAR && EP_LONG == MPI_LONG &&
          EP_MAX == MPI_MAX);
    CHECK_EQ(MPI_ANY_SOURCE, -2);
    CHECK(MPI_PROC_NULL != MPI_ANY_SOURCE && MPI_PROC_NULL != -1 && MPI_ROOT != MPI_PROC_NULL &&
          MPI_ROOT < -1);
    CHECK(EP_ANY_SOURCE == MPI_ANY_SOURCE && EP_ANY_TAG == MPI_ANY_TAG);
    char name[MPI_MAX_PROCESSOR_NAME]; /* a bound of an array */
    int length = 0;
    CHECK_OK(MPI_Get_processor_name(name, &length));
    CHECK(length > 0 && std::strlen(name) == static_cast<std::size_t>(length));
    switch (length) {
    case MPI_UNDEFINED: /* and a label */
        CHECK(false);
    }
}

static void test_start()
{
    int flag = 0, level = -1, version = 0, subversion = 0;
    CHECK_OK(MPI_Initialized(&flag));
    CHECK_EQ(flag, 1);
    CHECK_OK(MPI_Finalized(&flag));
    CHECK_EQ(flag, 0);
    CHECK_OK(MPI_Query_thread(&level));
    CHECK_EQ(level, MPI_THREAD_MULTIPLE);
    CHECK_OK(MPI_Is_thread_main(&flag));
    CHECK_EQ(flag, 1);
    CHECK_OK(MPI_Get_version(&version, &subversion));
    CHECK(version >= 3);
    double begin = MPI_Wtime();
    CHECK(MPI_Wtick() > 0 && MPI_Wtick() < 1 && MPI_Wtime() >= begin);
    /* All threads may initialise and finalise, as XIOS's do: for others it is done, or not theirs to do. */
    CHECK_OK(MPI_Init(nullptr, nullptr));
    level = -1;
    std::thread other([&] {
        CHECK_OK(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level));
        CHECK_OK(MPI_Finalize());
    });
    other.join();
    CHECK_EQ(level, MPI_THREAD_MULTIPLE);
    CHECK_OK(MPI_Finalized(&flag));
    CHECK_EQ(flag, 0);
}

static void test_memory()
{
    int *memory = nullptr;
    MPI_Aint address[2];
    CHECK_OK(MPI_Alloc_mem(64 * sizeof(int), MPI_INFO_NULL, &memory));
    CHECK(memory != nullptr);
    memory[63] = 1;
    CHECK_OK(MPI_Get_address(&memory[0], &address[0]));
    CHECK_OK(MPI_Get_address(&memory[3], &address[1]));
    CHECK_EQ(address[1] - address[0], 3 * sizeof(int));
    CHECK_OK(MPI_Free_mem(memory));
}

static void test_infos()
{
    MPI_Info info = MPI_INFO_NULL, copy = MPI_INFO_NULL;
    char value[MPI_MAX_INFO_VAL + 1] = "";
    int flag = 0;
    CHECK_OK(MPI_Info_create(&info));
    CHECK(info != MPI_INFO_NULL);
    CHECK_OK(MPI_Info_set(info, "key", "value"));
    CHECK_OK(MPI_Info_get(info, "key", 20, value, &flag));
    CHECK(flag && std::string(value) == "value");
    CHECK_OK(MPI_Info_dup(info, &copy));
    CHECK_OK(MPI_Info_delete(info, "key"));
    CHECK_OK(MPI_Info_get(info, "key", 20, value, &flag));
    CHECK_EQ(flag, 0);
    CHECK_OK(MPI_Info_get(copy, "key", 20, value, &flag));
    CHECK_EQ(flag, 1);
    CHECK_OK(MPI_Info_free(&info));
    CHECK_OK(MPI_Info_free(&copy));
    CHECK(info == MPI_INFO_NULL && copy == MPI_INFO_NULL);
}

static std::string text_of(int code)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    CHECK_OK(MPI_Error_string(code, text, &length));
    CHECK_EQ(std::strlen(text), length);
    return text;
}

static void test_errors(member &m)
{
    int value = 0, error_class = -1;
    CHECK_OK(MPI_Errhandler_set(m.comm, MPI_ERRORS_RETURN));
    int code = MPI_Send(&value, 1, MPI_INT, m.size, 0, m.comm);
    CHECK(code != MPI_SUCCESS);
    std::string text = text_of(code);
    CHECK(!text.empty());
    if (m.comm.is_ep)
        CHECK(text.find("ep_send") != std::string::npos &&
              text.find(std::to_string(m.size)) != std::string::npos);
    CHECK_OK(MPI_Error_class(code, &error_class));
    CHECK_EQ(error_class, MPI_ERR_RANK);
    CHECK(text_of(MPI_ERR_TRUNCATE) != text_of(MPI_ERR_RANK));
    CHECK_OK(MPI_Error_class(MPI_Send(&value, -1, MPI_INT, 0, 0, m.comm), &error_class));
    CHECK_EQ(error_class, MPI_ERR_COUNT);
    CHECK_OK(MPI_Error_class(MPI_Send(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, m.comm), &error_class));
    CHECK_EQ(error_class, MPI_ERR_RANK); /* no destination */
}

/* The text is of the last error, whosever it was. */
static void test_error_sides(member &m)
{
    int value = 0;
    int code = MPI_Send(&value, 1, MPI_INT, m.size, 0, m.comm);
    CHECK(text_of(code).find("ep_send") != std::string::npos);
    int classic_code = MPI_Send(&value, 1, MPI_INT, 1000, 0, MPI_COMM_SELF);
    CHECK(classic_code != MPI_SUCCESS);
    CHECK(text_of(classic_code).find("ep_send") == std::string::npos);
}

/* ---- datatypes: what a type says of itself, and what it moves ---- */

struct record {
    char name;
    double value;
};

static void exchange(member &m, MPI_Datatype type, const int *from, int *to)
{
    CHECK_OK(MPI_Type_commit(&type));
    CHECK_OK(MPI_Sendrecv(from, 1, type, m.right(), 5, to, 1, type, m.left(), 5, m.comm, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Type_free(&type));
    CHECK(type == MPI_DATATYPE_NULL);
}

static void test_datatypes(member &m)
{
    int size = 0, from[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    MPI_Aint lb = -1, extent = -1;
    MPI_Datatype type, other;
    CHECK_OK(MPI_Type_size(MPI_DOUBLE, &size));
    CHECK_EQ(size, sizeof(double));
    CHECK_OK(MPI_Type_contiguous(3, MPI_INT, &type));
    CHECK(type != MPI_INT);
    CHECK_OK(MPI_Type_size(type, &size));
    CHECK_EQ(size, 3 * sizeof(int));
    CHECK_OK(MPI_Type_create_resized(type, 0, 16, &other));
    CHECK_OK(MPI_Type_get_extent(other, &lb, &extent));
    CHECK(lb == 0 && extent == 16);
    int to_contiguous[8] = {};
    exchange(m, other, from, to_contiguous);
    CHECK_OK(MPI_Type_free(&type));
    CHECK(to_contiguous[2] == 2 && to_contiguous[3] == 0);

    int lengths[2] = {1, 2}, places[2] = {0, 4}, to_indexed[8] = {}, to_vector[8] = {}, to_bytes[8] = {};
    MPI_Aint byte_places[2] = {0, 4 * sizeof(int)};
    CHECK_OK(MPI_Type_indexed(2, lengths, places, MPI_INT, &type));
    exchange(m, type, from, to_indexed);
    CHECK(to_indexed[4] == 4 && to_indexed[5] == 5 && to_indexed[6] == 0 && to_indexed[1] == 0);
    CHECK_OK(MPI_Type_vector(2, 1, 3, MPI_INT, &type));
    CHECK_OK(MPI_Type_dup(type, &other));
    CHECK_OK(MPI_Type_free(&type));
    exchange(m, other, from, to_vector);
    CHECK(to_vector[3] == 3 && to_vector[1] == 0);
    CHECK_OK(MPI_Type_create_hindexed(2, lengths, byte_places, MPI_INT, &type));
    exchange(m, type, from, to_bytes);
    CHECK(to_bytes[5] == 5 && to_bytes[1] == 0);
    CHECK_OK(MPI_Type_create_hvector(2, 1, 8, MPI_INT, &type));
    CHECK_OK(MPI_Type_get_extent(type, &lb, &extent));
    CHECK_EQ(extent, 12);
    CHECK_OK(MPI_Type_free(&type));
}

static void test_struct(member &m)
{
    record from = {static_cast<char>('a' + m.rank % 8), m.rank + 0.5}, to = {0, 0};
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {offsetof(record, name), offsetof(record, value)};
    MPI_Datatype types[2] = {MPI_CHAR, MPI_DOUBLE}, type;
    MPI_Status status;
    int count = -1, elements = -1;
    CHECK_OK(MPI_Type_create_struct(2, lengths, places, types, &type));
    CHECK_OK(MPI_Type_commit(&type));
    CHECK_OK(MPI_Sendrecv(&from, 1, type, m.right(), 6, &to, 1, type, m.left(), 6, m.comm, &status));
    CHECK(to.name == 'a' + m.left() % 8 && to.value == m.left() + 0.5);
    CHECK_OK(MPI_Get_count(&status, type, &count));
    CHECK_OK(MPI_Get_elements(&status, type, &elements));
    CHECK(count == 1 && elements == 2 && status.ep_datatype == type);
    CHECK_OK(MPI_Type_free(&type));
    CHECK(MPI_Type_create_struct(-1, lengths, places, types, &type) != MPI_SUCCESS);
}

static void test_packing(member &m)
{
    int size = 0, at = 0, numbers[2] = {m.rank, 7}, got[2] = {0, 0};
    double real = 0.25, got_real = 0;
    char buffer[128];
    CHECK_OK(MPI_Pack_size(2, MPI_INT, m.comm, &size));
    CHECK(size >= 8 && size < 100);
    CHECK_OK(MPI_Pack(numbers, 2, MPI_INT, buffer, 128, &at, m.comm));
    CHECK_OK(MPI_Pack(&real, 1, MPI_DOUBLE, buffer, 128, &at, m.comm));
    CHECK_OK(
        MPI_Sendrecv_replace(buffer, at, MPI_PACKED, m.right(), 8, m.left(), 8, m.comm, MPI_STATUS_IGNORE));
    at = 0;
    CHECK_OK(MPI_Unpack(buffer, 128, &at, got, 2, MPI_INT, m.comm));
    CHECK_OK(MPI_Unpack(buffer, 128, &at, &got_real, 1, MPI_DOUBLE, m.comm));
    CHECK(got[0] == m.left() && got[1] == 7 && got_real == 0.25);
}

/* ---- operators ---- */

/* The datatype that it is given is ep_lib's. */
static void add_tens(void *in, void *inout, int *count, MPI_Datatype *datatype)
{
    CHECK(*datatype == MPI_INT);
    for (int i = 0; i < *count; i++)
        static_cast<int *>(inout)[i] += 10 * static_cast<int *>(in)[i];
}

static void take_right(void *in, void *inout, int *count, MPI_Datatype *)
{
    for (int i = 0; i < *count; i++)
        static_cast<int *>(inout)[i] += 0 * static_cast<int *>(in)[i];
}

static void test_operators(member &m)
{
    MPI_Op tens = MPI_OP_NULL, right = MPI_OP_NULL;
    int in = 3, inout = 4, last = -1, mine = m.rank;
    CHECK_OK(MPI_Op_create(add_tens, 1, &tens));
    CHECK_OK(MPI_Op_create(take_right, 0, &right));
    CHECK(tens != MPI_OP_NULL && tens != right);
    CHECK_OK(MPI_Reduce_local(&in, &inout, 1, MPI_INT, tens));
    CHECK_EQ(inout, 34);
    CHECK_OK(MPI_Allreduce(&mine, &last, 1, MPI_INT, right, m.comm));
    CHECK_EQ(last, m.size - 1); /* in the order of ranks */
    CHECK_OK(MPI_Op_free(&tens));
    CHECK_OK(MPI_Op_free(&right));
    CHECK(tens == MPI_OP_NULL && right == MPI_OP_NULL);
}

int main(int argc, char **argv)
{
    return run_program(&argc, &argv, [] {
        test_constants();
        test_start();
        test_memory();
        test_infos();
        CHECK_OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
        on_endpoints(test_error_sides);
        for (const team_body &body :
             std::vector<team_body>{test_errors, test_datatypes, test_struct, test_packing, test_operators})
            on_both(body);
    });
}
