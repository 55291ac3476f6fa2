/* SPDX-License-Identifier: BSD-3-Clause */
/* Derived types of structs, shared pointers in requests' bookkeeping, virtual functions called from callbacks. */
#include "conform.h"

#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <vector>

namespace {

struct particle {
    double x[3];
    int id;
    char kind;
};

class datatype {
  public:
    datatype()
    {
        int lengths[] = {3, 1, 1};
        MPI_Aint places[] = {offsetof(particle, x), offsetof(particle, id), offsetof(particle, kind)};
        MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT, MPI_CHAR}, packed;
        MPI_Type_create_struct(3, lengths, places, types, &packed);
        MPI_Type_create_resized(packed, 0, sizeof(particle), &type_);
        MPI_Type_commit(&type_);
        MPI_Type_free(&packed);
    }
    datatype(const datatype &) = delete;
    ~datatype() { MPI_Type_free(&type_); }
    operator MPI_Datatype() const { return type_; }

  private:
    MPI_Datatype type_;
};

class message {
  public:
    virtual ~message() = default;
    virtual void start(MPI_Comm comm) = 0;
    bool done()
    {
        int flag = 0;
        MPI_Test(&request_, &flag, &status_);
        return flag;
    }
    const MPI_Status &status() const { return status_; }

  protected:
    MPI_Request request_ = MPI_REQUEST_NULL;
    MPI_Status status_;
};

class outgoing : public message {
  public:
    outgoing(std::vector<particle> data, int to, MPI_Datatype type)
        : data_(std::move(data)), to_(to), type_(type)
    {
    }
    void start(MPI_Comm comm) override
    {
        MPI_Isend(data_.data(), static_cast<int>(data_.size()), type_, to_, 3, comm, &request_);
    }

  private:
    std::vector<particle> data_;
    int to_;
    MPI_Datatype type_;
};

class incoming : public message {
  public:
    incoming(std::vector<particle> &data, MPI_Datatype type) : data_(data), type_(type) {}
    void start(MPI_Comm comm) override
    {
        MPI_Irecv(data_.data(), static_cast<int>(data_.size()), type_, MPI_ANY_SOURCE, MPI_ANY_TAG, comm,
                  &request_);
    }

  private:
    std::vector<particle> &data_;
    MPI_Datatype type_;
};

void exchange(int rank, int size, const datatype &type)
{
    std::vector<particle> in(50);
    std::list<std::shared_ptr<message>> pending;
    pending.push_back(std::make_shared<incoming>(in, type));
    auto receive = pending.back();
    std::vector<particle> mine(rank + 1);
    for (std::size_t i = 0; i < mine.size(); i++)
        mine[i] = particle{{0.5 * rank, 1.0, static_cast<double>(i)}, static_cast<int>(i), 'p'};
    pending.push_back(std::make_shared<outgoing>(mine, (rank + 1) % size, type));
    for (auto &one : pending)
        one->start(MPI_COMM_WORLD);
    while (!pending.empty())
        pending.remove_if([](const std::shared_ptr<message> &one) { return one->done(); });
    const int from = (rank + size - 1) % size;
    int count = -1;
    MPI_Get_count(&receive->status(), type, &count);
    CHECK(receive->status().MPI_SOURCE == from && count == from + 1);
    CHECK(in[from].id == from && in[from].x[0] == 0.5 * from && in[from].kind == 'p');
}

} // namespace

int main(int argc, char **argv)
{
    int rank, size;
    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size <= 50) {
        const datatype type;
        exchange(rank, size, type);
    }
    return conform_end(0);
}
