/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check.hpp: for programs on ep_lib alone, which must not see <mpi.h> nor <ep.h>, as tests/harness does.
 *
 * EP_TEST_T says how many endpoints each process has. A body runs in each of them, in a thread, and then again in the main threads on
 * a classic communicator: what it checks holds for both. CHECKs write failures down and go on; the program's exit status is
 * the sum over all processes. A hang ends with SIGALRM after EP_TEST_TIMEOUT seconds (60).
 */
#ifndef EP_LIB_CHECK_HPP
#define EP_LIB_CHECK_HPP

#include <ep_lib.hpp>
#include <functional>

/* One rank as its thread sees it. */
struct member {
    ep_lib::MPI_Comm comm; /* MPI_ERRORS_RETURN is set */
    int rank, size;
    int index, local; /* among those of the process */
    int right() const { return (rank + 1) % size; }
    int left() const { return (rank + size - 1) % size; }
};

typedef std::function<void(member &)> team_body;

/* Start MPI, run the program, say what failed, end MPI. Collective; the result is main's. */
int run_program(int *argc, char ***argv, const std::function<void()> &program);
/* Endpoints over MPI_COMM_WORLD, a thread for each. Collective, main threads. */
void on_endpoints(const team_body &body);
/* The main threads on a duplicate of MPI_COMM_WORLD. */
void on_classic(const team_body &body);
void on_both(const team_body &body);
/* All threads of a team of this process come here. */
void meet(const member &m);

bool check_true(bool holds, const char *text, const char *file, int line);
bool check_equal(long long got, long long wanted, const char *text, const char *file, int line);

#define CHECK(condition) check_true((condition), #condition, __FILE__, __LINE__)
#define CHECK_EQ(got, wanted)                                                                                \
    check_equal(static_cast<long long>(got), static_cast<long long>(wanted), #got " == " #wanted, __FILE__,  \
                __LINE__)
#define CHECK_OK(call) check_equal((call), ep_lib::MPI_SUCCESS, #call, __FILE__, __LINE__)

#endif
