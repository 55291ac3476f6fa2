/* SPDX-License-Identifier: BSD-3-Clause */
/* Classes around communicators: they own, move and free them; exceptions of one rank leave the others alone. */
#include "conform.h"

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

class communicator {
  public:
    explicit communicator(MPI_Comm comm = MPI_COMM_NULL) : comm_(comm) {}
    communicator(const communicator &other)
    {
        if (other.comm_ == MPI_COMM_NULL)
            comm_ = MPI_COMM_NULL;
        else
            MPI_Comm_dup(other.comm_, &comm_);
    }
    communicator(communicator &&other) noexcept : comm_(std::exchange(other.comm_, MPI_COMM_NULL)) {}
    communicator &operator=(communicator other)
    {
        std::swap(comm_, other.comm_);
        return *this;
    }
    ~communicator()
    {
        if (comm_ != MPI_COMM_NULL && comm_ != MPI_COMM_WORLD)
            MPI_Comm_free(&comm_);
    }
    communicator split(int color, int key) const
    {
        MPI_Comm part;
        MPI_Comm_split(comm_, color, key, &part);
        return communicator(part);
    }
    int rank() const
    {
        int rank;
        MPI_Comm_rank(comm_, &rank);
        return rank;
    }
    int size() const
    {
        int size;
        MPI_Comm_size(comm_, &size);
        return size;
    }
    explicit operator bool() const { return comm_ != MPI_COMM_NULL; }
    operator MPI_Comm() const { return comm_; }

  private:
    MPI_Comm comm_;
};

class mpi_error : public std::runtime_error {
  public:
    explicit mpi_error(int code) : std::runtime_error(text(code)), code_(code) {}
    int code() const { return code_; }

  private:
    static std::string text(int code)
    {
        char buffer[MPI_MAX_ERROR_STRING];
        int length = 0;
        MPI_Error_string(code, buffer, &length);
        return std::string(buffer, length);
    }
    int code_;
};

void throwing_send(const communicator &comm, int to)
{
    int value = 1;
    int code = MPI_Send(&value, 1, MPI_INT, to, 0, comm);
    if (code != MPI_SUCCESS)
        throw mpi_error(code);
}

void exceptions(const communicator &comm)
{
    bool caught = false;
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    try {
        throwing_send(comm, MPI_PROC_NULL);
        throwing_send(comm, 12345);
    } catch (const mpi_error &error) {
        int error_class;
        MPI_Error_class(error.code(), &error_class);
        CHECK(error_class == MPI_ERR_RANK);
        CHECK(*error.what() != '\0');
        caught = true;
    }
    CHECK(caught);
    MPI_Barrier(comm);
}

} // namespace

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    {
        communicator world(MPI_COMM_WORLD), copy(world), none;
        CHECK(copy && !none && copy.size() == world.size());
        std::vector<communicator> parts;
        for (int i = 0; i < 5; i++)
            parts.push_back(copy.split(world.rank() % 2, i % 2 ? world.rank() : -world.rank()));
        none = std::move(parts[3]);
        parts.erase(parts.begin());
        CHECK(none && none.rank() == world.rank() / 2);
        int result;
        MPI_Comm_compare(none, parts[0], &result);
        CHECK(result == MPI_CONGRUENT);
        exceptions(copy);
    }
    return conform_end(0);
}
