/* SPDX-License-Identifier: BSD-3-Clause */
/* Starting and ending, memory, errors, infos. */
#include "ep_lib/dispatch.hpp"

namespace ep_lib {

/* ---- starting and ending ---- */

/* Held where MPI begins and ends. */
static std::mutex &start_lock()
{
    static std::mutex *const lock = new std::mutex;
    return *lock;
}

/* The first of a process's threads does it, the others wait for it. */
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    std::lock_guard<std::mutex> guard(start_lock());
    int initialized = 0, level;
    ::MPI_Initialized(&initialized);
    if (initialized)
        return mpi_result(::MPI_Query_thread(provided ? provided : &level));
    return mpi_result(::MPI_Init_thread(argc, argv, required, provided ? provided : &level));
}

int MPI_Init(int *argc, char ***argv)
{
    return MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, nullptr);
}

/* Once MPI has ended it may not be asked whose thread is main, so nobody asks while it ends. Who waits for that has no more to do. */
int MPI_Finalize()
{
    int is_main = 0, finalized = 0;
    std::lock_guard<std::mutex> guard(start_lock());
    ::MPI_Finalized(&finalized);
    if (!finalized)
        ::MPI_Is_thread_main(&is_main);
    return is_main ? ::MPI_Finalize() : MPI_SUCCESS;
}

int MPI_Abort(MPI_Comm comm, int errorcode)
{
    return ask(comm, ep_abort, ::MPI_Abort, errorcode);
}

int MPI_Alloc_mem(MPI_Aint size, MPI_Info info, void *baseptr)
{
    return mpi_result(::MPI_Alloc_mem(size, to_mpi_info(info), baseptr));
}

/* ---- errors ---- */

/* Of the calling thread. */
struct last_error {
    int code;
    bool is_ep;
};

static last_error &latest()
{
    static thread_local last_error error;
    return error;
}

int ep_result(int code)
{
    if (code != MPI_SUCCESS)
        latest() = {code, true};
    return code;
}

int mpi_result(int code)
{
    if (code != MPI_SUCCESS)
        latest() = {code, false};
    return code;
}

int wrong_argument()
{
    return ep_result(ep_test(nullptr, nullptr, EP_STATUS_IGNORE));
}

/* Its text is that of the class. */
int no_room()
{
    ep_comm_call_errhandler(EP_COMM_WORLD, MPI_ERR_NO_MEM);
    return mpi_result(MPI_ERR_NO_MEM);
}

/* ep has the full message of its last error. Other codes are MPI's: in MPICH they have texts of their own. */
int MPI_Error_string(int errorcode, char *string, int *resultlen)
{
    if (latest().is_ep && latest().code == errorcode)
        return ep_error_string(errorcode, string, resultlen);
    return ::MPI_Error_string(errorcode, string, resultlen);
}

int MPI_Error_class(int errorcode, int *errorclass)
{
    return ::MPI_Error_class(errorcode, errorclass);
}

/* Held where the handlers of MPI_COMM_WORLD and MPI_COMM_SELF are other ones. */
static std::mutex &handler_lock()
{
    static std::mutex *const lock = new std::mutex;
    return *lock;
}

/* Errors that belong to no communicator are returned while there is one of these: MPI raises them on MPI_COMM_WORLD's handler,
 * since its version 4 on that of MPI_COMM_SELF. */
class returned_errors {
  public:
    returned_errors() : guard(handler_lock())
    {
        for (int i = 0; i < 2; i++) {
            ::MPI_Comm_get_errhandler(comm(i), &handlers[i]);
            ::MPI_Comm_set_errhandler(comm(i), own::errors_return);
        }
    }
    ~returned_errors()
    {
        for (int i = 0; i < 2; i++) {
            ::MPI_Comm_set_errhandler(comm(i), handlers[i]);
            ::MPI_Errhandler_free(&handlers[i]);
        }
    }
    returned_errors(const returned_errors &) = delete;
    returned_errors &operator=(const returned_errors &) = delete;

  private:
    static ::MPI_Comm comm(int i) { return i ? own::comm_self : own::comm_world; }
    std::lock_guard<std::mutex> guard;
    ::MPI_Errhandler handlers[2];
};

bool is_communicator(::MPI_Comm comm)
{
    int inter;
    if (comm == own::comm_null || comm == own::comm_world || comm == own::comm_self)
        return true;
    returned_errors are;
    return ::MPI_Comm_test_inter(comm, &inter) == MPI_SUCCESS;
}

/* The world's handler is that of errors that belong to no communicator (MPI 8.3): ep's, too, as it keeps it for threads that are
 * bound to no endpoint. */
int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler)
{
    if (comm.is_ep)
        return ep_result(ep_comm_set_errhandler(ep_of(comm), to_ep_errhandler(errhandler)));
    if (comm == MPI_COMM_WORLD) {
        int code = ep_result(ep_comm_set_errhandler(EP_COMM_WORLD, to_ep_errhandler(errhandler)));
        if (code != MPI_SUCCESS)
            return code;
    }
    std::lock_guard<std::mutex> guard(handler_lock());
    return mpi_result(::MPI_Comm_set_errhandler(mpi_of(comm), to_mpi_errhandler(errhandler)));
}

int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler)
{
    return MPI_Comm_set_errhandler(comm, errhandler);
}

/* ---- infos ---- */

/* What came out of a call with code. */
static int keep_info(int code, const ::MPI_Info &made, MPI_Info *info)
{
    if (code == MPI_SUCCESS)
        *info = from_mpi_info(made);
    return mpi_result(code);
}

int MPI_Info_create(MPI_Info *info)
{
    ::MPI_Info made = own::info_null;
    if (!info)
        return wrong_argument();
    return keep_info(::MPI_Info_create(&made), made, info);
}

int MPI_Info_set(MPI_Info info, const char *key, const char *value)
{
    return mpi_result(::MPI_Info_set(to_mpi_info(info), key, value));
}

int MPI_Info_get(MPI_Info info, const char *key, int valuelen, char *value, int *flag)
{
    return mpi_result(::MPI_Info_get(to_mpi_info(info), key, valuelen, value, flag));
}

int MPI_Info_delete(MPI_Info info, const char *key)
{
    return mpi_result(::MPI_Info_delete(to_mpi_info(info), key));
}

int MPI_Info_dup(MPI_Info info, MPI_Info *newinfo)
{
    ::MPI_Info made = own::info_null;
    if (!newinfo)
        return wrong_argument();
    return keep_info(::MPI_Info_dup(to_mpi_info(info), &made), made, newinfo);
}

int MPI_Info_free(MPI_Info *info)
{
    if (!info)
        return wrong_argument();
    ::MPI_Info freed = to_mpi_info(*info);
    return keep_info(::MPI_Info_free(&freed), freed, info);
}

} // namespace ep_lib
