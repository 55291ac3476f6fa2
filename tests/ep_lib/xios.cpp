/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program as XIOS is written: no <mpi.h>, `using namespace ep_lib` for all, pools of clients and servers that are threads, which
 * meet in an intercommunicator and talk by probes. The pools overlap in each way: servers in processes of their own; in
 * processes that have clients, too, with the leaders there or elsewhere; clients and servers in all processes.
 */
#include "check.hpp"
#include <cstring>
#include <map>
#include <string>
#include <vector>

using namespace ep_lib;

static const int tag_data = 20, tag_end = 21;

/* What one layout looks like to one thread. */
struct pools {
    MPI_Comm global; /* all threads */
    MPI_Comm pool;   /* clients or servers */
    MPI_Comm inter;  /* between both */
    bool is_server;
    int clients, servers;
    int pool_rank;
};

/* Who serves: by the number of the thread in its process, of the process, and of both. */
enum layout { server_processes, first_threads, last_threads, odd_processes_last_threads, layouts };

static bool serves(layout how, int thread, int threads, int process, int processes)
{
    switch (how) {
    case server_processes: /* where there is one process, its last thread */
        return processes > 1 ? process == processes - 1 : thread == threads - 1;
    case first_threads:
        return thread == 0;
    case last_threads:
        return thread == threads - 1;
    default:
        return process % 2 == (processes > 1) && thread == threads - 1;
    }
}

/* The leaders are rank 0 of each pool; which rank of all that is, everybody is told. */
static bool make_pools(member &m, layout how, pools *p)
{
    int process, processes, mine[2], lowest[2];
    MPI_Comm_rank(MPI_COMM_WORLD, &process);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    CHECK_OK(MPI_Comm_dup(m.comm, &p->global));
    p->is_server = serves(how, m.index, m.local, process, processes);
    mine[0] = p->is_server ? m.size : m.rank;
    mine[1] = p->is_server ? m.rank : m.size;
    CHECK_OK(MPI_Allreduce(mine, lowest, 2, MPI_INT, MPI_MIN, p->global));
    if (lowest[0] == m.size || lowest[1] == m.size) { /* one pool is empty: 1 process of 1 thread */
        CHECK_OK(MPI_Comm_free(&p->global));
        return false;
    }
    CHECK_OK(MPI_Comm_split(p->global, p->is_server, m.rank, &p->pool));
    CHECK_OK(MPI_Intercomm_create(p->pool, 0, p->global, lowest[!p->is_server], how, &p->inter));
    CHECK(p->inter.is_ep && p->inter.is_intercomm && p->inter->is_intercomm);
    int own = 0, other = 0;
    CHECK_OK(MPI_Comm_size(p->pool, &own));
    CHECK_OK(MPI_Comm_rank(p->pool, &p->pool_rank));
    CHECK_OK(MPI_Comm_remote_size(p->inter, &other));
    CHECK_EQ(own + other, m.size);
    p->clients = p->is_server ? other : own;
    p->servers = p->is_server ? own : other;
    return true;
}

static void free_pools(pools *p)
{
    CHECK_OK(MPI_Comm_free(&p->inter));
    CHECK_OK(MPI_Comm_free(&p->pool));
    CHECK_OK(MPI_Comm_free(&p->global));
}

/* ---- buffers of events: a client sends each server several, of different lengths; servers take them as they come ---- */

static const int events = 5;

static int length_of(int client, int event)
{
    return 1 + (client * 7 + event * 300) % 2000;
}
static double value_of(int client, int server, int event, int i)
{
    return client + 0.001 * server + 10.0 * event + i;
}

static void run_client(pools *p)
{
    std::vector<MPI_Request> requests;
    std::vector<std::vector<double>> buffers;
    for (int event = 0; event < events; event++)
        for (int server = 0; server < p->servers; server++) {
            std::vector<double> data;
            for (int i = 0; i < length_of(p->pool_rank, event); i++)
                data.push_back(value_of(p->pool_rank, server, event, i));
            buffers.push_back(data);
            requests.push_back(MPI_REQUEST_NULL);
            int bytes = static_cast<int>(data.size() * sizeof(double));
            if (event % 2)
                CHECK_OK(MPI_Issend(buffers.back().data(), bytes, MPI_CHAR, server, tag_data, p->inter,
                                    &requests.back()));
            else
                CHECK_OK(MPI_Isend(buffers.back().data(), bytes, MPI_CHAR, server, tag_data, p->inter,
                                   &requests.back()));
        }
    std::vector<MPI_Status> statuses(requests.size());
    CHECK_OK(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), statuses.data()));
    for (int server = 0; server < p->servers; server++)
        CHECK_OK(MPI_Send(nullptr, 0, MPI_CHAR, server, tag_end, p->inter));
}

/* One received buffer: whose it is, and where its events of that client have come to. */
static void check_buffer(pools *p, int client, int event, const std::vector<char> &bytes)
{
    std::vector<double> data(bytes.size() / sizeof(double));
    std::memcpy(data.data(), bytes.data(), bytes.size());
    if (!CHECK_EQ(data.size(), length_of(client, event)))
        return;
    for (std::size_t i = 0; i < data.size(); i++)
        CHECK(data[i] == value_of(client, p->pool_rank, event, static_cast<int>(i)));
}

/* By MPI_Improbe from anybody, which is -2 in XIOS, and receives that are waited for all at once. */
static void serve_matched(pools *p)
{
    std::map<int, int> next; /* event of each client */
    std::vector<MPI_Request> requests;
    std::vector<std::vector<char>> buffers(static_cast<std::size_t>(p->clients * events));
    std::vector<int> sources, order;
    for (int got = 0; got < p->clients * events;) {
        int flag = 0, count = -1;
        MPI_Message message;
        MPI_Status status;
        CHECK_OK(MPI_Improbe(-2, tag_data, p->inter, &flag, &message, &status));
        if (!flag)
            continue;
        CHECK_OK(MPI_Get_count(&status, MPI_CHAR, &count));
        std::vector<char> &buffer = buffers[static_cast<std::size_t>(got++)];
        buffer.resize(static_cast<std::size_t>(count));
        requests.push_back(MPI_REQUEST_NULL);
        CHECK_OK(MPI_Imrecv(buffer.data(), count, MPI_CHAR, &message, &requests.back()));
        sources.push_back(status.ep_src);
        order.push_back(next[status.ep_src]++);
    }
    CHECK_OK(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
    for (std::size_t i = 0; i < sources.size(); i++)
        check_buffer(p, sources[i], order[i], buffers[i]);
}

/* By MPI_Iprobe and MPI_Recv from the one that was found. */
static void serve_probed(pools *p)
{
    std::map<int, int> next;
    for (int got = 0; got < p->clients * events;) {
        int flag = 0, count = -1;
        MPI_Status status;
        CHECK_OK(MPI_Iprobe(MPI_ANY_SOURCE, tag_data, p->inter, &flag, &status));
        if (!flag)
            continue;
        CHECK_OK(MPI_Get_count(&status, MPI_CHAR, &count));
        std::vector<char> buffer(static_cast<std::size_t>(count));
        CHECK_OK(MPI_Recv(buffer.data(), count, MPI_CHAR, status.ep_src, status.ep_tag, p->inter, &status));
        check_buffer(p, status.ep_src, next[status.ep_src]++, buffer);
        got++;
    }
}

static void run_server(pools *p, bool matched)
{
    if (matched)
        serve_matched(p);
    else
        serve_probed(p);
    for (int client = 0; client < p->clients; client++) {
        MPI_Status status;
        CHECK_OK(MPI_Recv(nullptr, 0, MPI_CHAR, -1, tag_end, p->inter, &status));
        CHECK(status->ep_tag == tag_end && status.ep_src >= 0 && status.ep_src < p->clients);
    }
}

/* ---- what else XIOS does with its communicators ---- */

/* Ranks of the merged communicator: clients first. */
static void check_merge(pools *p)
{
    MPI_Comm merged;
    int rank = -1, wanted = p->is_server ? p->clients + p->pool_rank : p->pool_rank, sum = -1;
    CHECK_OK(MPI_Intercomm_merge(p->inter, p->is_server, &merged));
    CHECK_OK(MPI_Comm_rank(merged, &rank));
    CHECK_EQ(rank, wanted);
    CHECK_OK(MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_SUM, merged));
    CHECK_EQ(sum, wanted * (wanted + 1) / 2);
    CHECK_OK(MPI_Comm_free(&merged));
}

/* Counts and places of distributed data, as for the transformation of grids. */
static void check_transformation(pools *p)
{
    int n = -1, rank = p->pool_rank;
    MPI_Comm copy;
    CHECK_OK(MPI_Comm_dup(p->pool, &copy));
    CHECK_OK(MPI_Comm_size(copy, &n));
    std::vector<int> counts(static_cast<std::size_t>(n)), displs(counts.size()), sends(counts.size()),
        receives(counts.size());
    int mine = rank + 1, total = n * (n + 1) / 2;
    CHECK_OK(MPI_Allgather(&mine, 1, MPI_INT, counts.data(), 1, MPI_INT, copy));
    for (std::size_t i = 1; i < counts.size(); i++)
        displs[i] = displs[i - 1] + counts[i - 1];
    std::vector<unsigned long> local(static_cast<std::size_t>(mine), static_cast<unsigned long>(rank)),
        all(static_cast<std::size_t>(total));
    CHECK_OK(MPI_Allgatherv(local.data(), mine, MPI_UNSIGNED_LONG, all.data(), counts.data(), displs.data(),
                            MPI_UNSIGNED_LONG, copy));
    for (int r = 0; r < n; r++)
        CHECK_EQ(all[static_cast<std::size_t>(displs[static_cast<std::size_t>(r)])], r);
    for (int r = 0; r < n; r++)
        sends[static_cast<std::size_t>(r)] = 100 * rank + r;
    CHECK_OK(MPI_Alltoall(sends.data(), 1, MPI_INT, receives.data(), 1, MPI_INT, copy));
    for (int r = 0; r < n; r++)
        CHECK_EQ(receives[static_cast<std::size_t>(r)], 100 * r + rank);
    CHECK_OK(MPI_Comm_free(&copy));
}

/* All exchange with all of their pool: requests of sends and receives in one vector, as XIOS keeps them. */
static void check_exchange(pools *p)
{
    int n = -1;
    CHECK_OK(MPI_Comm_size(p->pool, &n));
    std::vector<MPI_Request> requests(static_cast<std::size_t>(2 * n));
    std::vector<int> in(static_cast<std::size_t>(n), -1), out;
    for (int r = 0; r < n; r++)
        out.push_back(100 * p->pool_rank + r);
    for (int r = 0; r < n; r++) {
        std::size_t i = static_cast<std::size_t>(r);
        CHECK_OK(MPI_Irecv(&in[i], 1, MPI_INT, r, 5, p->pool, &requests[2 * i]));
        CHECK_OK(MPI_Isend(&out[i], 1, MPI_INT, r, 5, p->pool, &requests[2 * i + 1]));
    }
    std::vector<MPI_Status> statuses(requests.size());
    CHECK_OK(MPI_Waitall(2 * n, &requests[0], &statuses[0]));
    for (int r = 0; r < n; r++) {
        CHECK_EQ(in[static_cast<std::size_t>(r)], 100 * r + p->pool_rank);
        CHECK_EQ(statuses[static_cast<std::size_t>(2 * r)].ep_src, r);
    }
}

static void test_layout(member &m, layout how)
{
    pools p;
    if (!make_pools(m, how, &p))
        return;
    for (bool matched : {true, false}) {
        if (p.is_server)
            run_server(&p, matched);
        else
            run_client(&p);
        CHECK_OK(MPI_Barrier(p.global));
    }
    check_merge(&p);
    check_transformation(&p);
    check_exchange(&p);
    /* The Fortran side of each thread is given a number, and comes back with it. */
    int number = EP_Comm_c2f(p.pool);
    CHECK(EP_Comm_f2c(&number) == p.pool);
    free_pools(&p);
}

/* The array of handles goes to the other threads by `passage`. */
static void test_handed_over(member &m)
{
    MPI_Comm *endpoints = nullptr, mine;
    int rank = -1, first = -1;
    if (m.index == 0) {
        CHECK_OK(MPI_Comm_create_endpoints(MPI_COMM_WORLD.mpi_comm, m.local, MPI_INFO_NULL, endpoints));
        passage = endpoints;
    }
    meet(m);
    mine = passage[m.index];
    meet(m);
    if (m.index == 0)
        delete[] passage;
    CHECK_OK(MPI_Comm_rank(mine, &rank));
    CHECK_OK(MPI_Scan(&rank, &first, 1, MPI_INT, MPI_MIN, mine));
    CHECK(rank == m.rank && first == 0);
    CHECK_OK(MPI_Comm_free(&mine));
}

int main(int argc, char **argv)
{
    return run_program(&argc, &argv, [] {
        on_endpoints(test_handed_over);
        for (int how = 0; how < layouts; how++)
            on_endpoints([=](member &m) { test_layout(m, static_cast<layout>(how)); });
    });
}
