/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.hpp"
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace ep_lib;

/* The leak checker knows MPI's leaks by the libraries that made them, so MPI's plug-ins stay loaded (tests/harness/plugins.c). */
#ifdef __SANITIZE_ADDRESS__
extern "C" int dlclose(void *library);
extern "C" int dlclose(void *)
{
    return 0;
}
#endif

static std::atomic<int> failures(0);
static int process_rank;

bool check_true(bool holds, const char *text, const char *file, int line)
{
    if (!holds && failures.fetch_add(1) < 10)
        std::fprintf(stderr, "%s:%d: process %d: %s\n", file, line, process_rank, text);
    return holds;
}

bool check_equal(long long got, long long wanted, const char *text, const char *file, int line)
{
    if (got != wanted && failures.fetch_add(1) < 10)
        std::fprintf(stderr, "%s:%d: process %d: %s: got %lld, wanted %lld\n", file, line, process_rank, text,
                     got, wanted);
    return got == wanted;
}

/* ---- a barrier of threads ---- */

static std::mutex meet_lock;
static std::condition_variable meet_all;
static int meet_come, meet_round;

void meet(const member &m)
{
    std::unique_lock<std::mutex> guard(meet_lock);
    int round = meet_round;
    if (++meet_come == m.local) {
        meet_come = 0;
        meet_round++;
        meet_all.notify_all();
    }
    meet_all.wait(guard, [&] { return meet_round != round; });
}

/* ---- teams ---- */

/* "4", or one number for each process, which repeat: "3,0,2". */
static int local_count()
{
    const char *list = std::getenv("EP_TEST_T");
    std::vector<int> counts;
    for (const char *at = list ? list : "2"; *at;) {
        char *end;
        counts.push_back(static_cast<int>(std::strtol(at, &end, 10)));
        at = *end == ',' ? end + 1 : end;
    }
    return counts[static_cast<std::size_t>(process_rank) % counts.size()];
}

static void run_member(MPI_Comm comm, int index, int local, const team_body &body)
{
    member m = {comm, -1, -1, index, local};
    CHECK_OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    CHECK_OK(MPI_Comm_rank(comm, &m.rank));
    CHECK_OK(MPI_Comm_size(comm, &m.size));
    body(m);
    CHECK_OK(MPI_Comm_free(&m.comm));
    CHECK(m.comm == MPI_COMM_NULL);
}

void on_endpoints(const team_body &body)
{
    int n = local_count();
    MPI_Comm *endpoints = nullptr;
    std::vector<std::thread> threads;
    CHECK_OK(MPI_Comm_create_endpoints(MPI_COMM_WORLD.mpi_comm, n, MPI_INFO_NULL, endpoints));
    for (int i = 0; i < n; i++)
        threads.emplace_back([=, &body] { run_member(endpoints[i], i, n, body); });
    for (std::thread &thread : threads)
        thread.join();
    delete[] endpoints;
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
}

void on_classic(const team_body &body)
{
    MPI_Comm comm;
    CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    run_member(comm, 0, 1, body);
}

void on_both(const team_body &body)
{
    on_endpoints(body);
    on_classic(body);
}

/* ---- programs ---- */

extern "C" void hang(int)
{
    static const char text[] = "the test hangs\n";
    if (write(2, text, sizeof text - 1) < 0)
        _exit(3);
    std::abort();
}

/* As XIOS does it: while the main thread ends MPI, the others try. */
static void finalize_in_threads()
{
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; i++)
        threads.emplace_back([] {
            for (int finalized = 0; !finalized; MPI_Finalized(&finalized))
                MPI_Finalize();
        });
    MPI_Finalize();
    for (std::thread &thread : threads)
        thread.join();
}

int run_program(int *argc, char ***argv, const std::function<void()> &program)
{
    const char *timeout = std::getenv("EP_TEST_TIMEOUT");
    int provided = -1, sum = 0;
    std::signal(SIGALRM, hang);
    alarm(timeout ? static_cast<unsigned>(std::atoi(timeout)) : 60);
    MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &process_rank);
    /* Errors of completion belong to no communicator in MPICH. */
    CHECK_OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_EQ(provided, MPI_THREAD_MULTIPLE);
    program();
    int mine = failures;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (sum && process_rank == 0)
        std::fprintf(stderr, "%d checks failed\n", sum);
    finalize_in_threads();
    return sum != 0;
}
