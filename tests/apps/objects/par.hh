// SPDX-License-Identifier: BSD-3-Clause
// par.hh: MPI in C++: errors are exceptions, what is begun ends with its object.
#pragma once
#include "counted.hh"
#include <mpi.h>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace par {

class error : public std::runtime_error {
  public:
    explicit error(int code) : std::runtime_error(text(code)), code_(code) {}
    int error_class() const
    {
        int c = MPI_SUCCESS;
        MPI_Error_class(code_, &c);
        return c;
    }

  private:
    static std::string text(int code)
    {
        char s[MPI_MAX_ERROR_STRING];
        int length = 0;
        MPI_Error_string(code, s, &length);
        return std::string(s, static_cast<std::size_t>(length));
    }
    int code_;
};

inline void check(int code)
{
    if (code != MPI_SUCCESS)
        throw error(code);
}

class environment {
  public:
    environment(int &argc, char **&argv)
    {
        int provided;
        MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
        if (provided < MPI_THREAD_FUNNELED)
            MPI_Abort(MPI_COMM_WORLD, 2);
    }
    ~environment() { MPI_Finalize(); }
    environment(const environment &) = delete;
    environment &operator=(const environment &) = delete;
};

// Waits in its destructor, also when an exception passes by.
class request : counted<request> {
  public:
    explicit request(MPI_Request r = MPI_REQUEST_NULL) : r_(r) {}
    request(request &&other) noexcept : counted<request>(other), r_(std::exchange(other.r_, MPI_REQUEST_NULL))
    {
    }
    request &operator=(request &&other) noexcept
    {
        std::swap(r_, other.r_);
        return *this;
    }
    ~request()
    {
        if (r_ != MPI_REQUEST_NULL)
            MPI_Wait(&r_, MPI_STATUS_IGNORE);
    }
    void wait() { check(MPI_Wait(&r_, MPI_STATUS_IGNORE)); }
    bool done()
    {
        int flag = 0;
        check(MPI_Test(&r_, &flag, MPI_STATUS_IGNORE));
        return flag != 0;
    }
    using counted<request>::alive;

  private:
    MPI_Request r_;
};

using message = std::vector<char>;

class communicator {
  public:
    explicit communicator(MPI_Comm parent)
    {
        check(MPI_Comm_dup(parent, &comm_));
        check(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN));
        check(MPI_Comm_rank(comm_, &rank_));
        check(MPI_Comm_size(comm_, &size_));
    }
    ~communicator() { MPI_Comm_free(&comm_); }
    communicator(const communicator &) = delete;
    communicator &operator=(const communicator &) = delete;

    int rank() const { return rank_; }
    int size() const { return size_; }
    MPI_Comm native() const { return comm_; }

    // The message must live as long as the request.
    request send(const message &m, int to, int tag) const
    {
        MPI_Request r = MPI_REQUEST_NULL;
        check(MPI_Isend(m.data(), static_cast<int>(m.size()), MPI_CHAR, to, tag, comm_, &r));
        return request(r);
    }
    message receive(int from, int tag) const
    {
        MPI_Status status;
        int n = 0;
        check(MPI_Probe(from, tag, comm_, &status));
        check(MPI_Get_count(&status, MPI_CHAR, &n));
        message m(static_cast<std::size_t>(n));
        check(MPI_Recv(m.data(), n, MPI_CHAR, status.MPI_SOURCE, tag, comm_, MPI_STATUS_IGNORE));
        return m;
    }

  private:
    MPI_Comm comm_ = MPI_COMM_NULL;
    int rank_ = -1, size_ = 0;
};

// A functor as an operator. MPI's callback has no place for its data: they are a static member.
template <class T, class F> class operation {
  public:
    operation(F f, bool commutes)
    {
        functor_ = f;
        check(MPI_Type_contiguous(static_cast<int>(sizeof(T)), MPI_BYTE, &type_));
        check(MPI_Type_commit(&type_));
        check(MPI_Op_create(&operation::call, commutes, &op_));
    }
    ~operation()
    {
        MPI_Op_free(&op_);
        MPI_Type_free(&type_);
    }
    operation(const operation &) = delete;
    operation &operator=(const operation &) = delete;

    T all(const T &mine, const communicator &c) const
    {
        T result;
        check(MPI_Allreduce(&mine, &result, 1, type_, op_, c.native()));
        return result;
    }
    T scan(const T &mine, const communicator &c) const
    {
        T result;
        check(MPI_Scan(&mine, &result, 1, type_, op_, c.native()));
        return result;
    }

  private:
    static void call(void *in, void *inout, int *count, MPI_Datatype *)
    {
        const T *a = static_cast<const T *>(in);
        T *b = static_cast<T *>(inout);
        for (int i = 0; i < *count; i++)
            b[i] = functor_(a[i], b[i]);
    }
    static F functor_;
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
    MPI_Op op_ = MPI_OP_NULL;
};

template <class T, class F> F operation<T, F>::functor_;

} // namespace par
