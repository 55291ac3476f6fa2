/* SPDX-License-Identifier: BSD-3-Clause */
/* Endpoints, communicators, groups, numbers for Fortran. */
#include "check.hpp"
#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

using namespace ep_lib;

static int rank_of(MPI_Comm comm)
{
    int rank = -1;
    CHECK_OK(MPI_Comm_rank(comm, &rank));
    return rank;
}

static int size_of(MPI_Comm comm)
{
    int size = -1;
    CHECK_OK(MPI_Comm_size(comm, &size));
    return size;
}

static int sum_of_ranks(MPI_Comm comm)
{
    int mine = rank_of(comm), sum = -1;
    CHECK_OK(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm));
    return sum;
}

static void test_asked(member &m)
{
    int inter = -1, flag = 0, *tag_ub = nullptr, *same = nullptr, length = 0, result = -1;
    char name[MPI_MAX_OBJECT_NAME] = "";
    CHECK(m.size >= 1 && m.rank >= 0 && m.rank < m.size);
    CHECK_OK(MPI_Comm_test_inter(m.comm, &inter));
    CHECK_EQ(inter, 0);
    CHECK_OK(MPI_Comm_get_attr(m.comm, MPI_TAG_UB, &tag_ub, &flag));
    CHECK(flag && *tag_ub >= 32767);
    CHECK_OK(MPI_Attr_get(m.comm, MPI_TAG_UB, &same, &flag));
    CHECK(flag && *same == *tag_ub);
    /* Ranks in MPI_COMM_WORLD, or ep_lib's numbers for none and any. */
    CHECK_OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_HOST, &same, &flag));
    CHECK(!flag || *same >= 0 || *same == MPI_PROC_NULL);
    CHECK_OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_IO, &same, &flag));
    CHECK(!flag || *same >= 0 || *same == MPI_PROC_NULL || *same == MPI_ANY_SOURCE);
    CHECK_OK(MPI_Comm_get_attr(m.comm, MPI_HOST, &same, &flag));
    CHECK(!flag || *same >= 0 || *same == MPI_PROC_NULL);
    CHECK_OK(MPI_Comm_get_attr(m.comm, MPI_IO, &same, &flag));
    CHECK(!flag || *same >= 0 || *same == MPI_PROC_NULL || *same == MPI_ANY_SOURCE);
    CHECK_OK(MPI_Comm_set_name(m.comm, "ocean"));
    CHECK_OK(MPI_Comm_get_name(m.comm, name, &length));
    CHECK(length == 5 && std::string(name) == "ocean");
    CHECK_OK(MPI_Comm_compare(m.comm, m.comm, &result));
    CHECK_EQ(result, MPI_IDENT);
    CHECK_OK(MPI_Comm_compare(m.comm, MPI_COMM_WORLD, &result));
    CHECK_EQ(result, m.comm.is_ep ? MPI_UNEQUAL : MPI_CONGRUENT);
}

static void test_derived(member &m)
{
    MPI_Comm copy, part, machine, none;
    int result = -1;
    CHECK_OK(MPI_Comm_dup(m.comm, &copy));
    CHECK(copy != m.comm && copy.is_ep == m.comm.is_ep && !copy.is_intercomm);
    CHECK_OK(MPI_Comm_compare(copy, m.comm, &result));
    CHECK_EQ(result, MPI_CONGRUENT);
    CHECK_EQ(sum_of_ranks(copy), m.size * (m.size - 1) / 2);
    CHECK_OK(MPI_Comm_split(copy, m.rank % 2, -m.rank, &part));
    CHECK_EQ(size_of(part), (m.size + 1 - m.rank % 2) / 2);
    CHECK_EQ(rank_of(part), size_of(part) - 1 - m.rank / 2);
    CHECK_OK(MPI_Comm_split(copy, m.rank == 0 ? 0 : MPI_UNDEFINED, 0, &none));
    CHECK_EQ(none == MPI_COMM_NULL, m.rank != 0);
    if (none != MPI_COMM_NULL)
        CHECK_OK(MPI_Comm_free(&none));
    CHECK_OK(MPI_Comm_split_type(copy, MPI_COMM_TYPE_SHARED, m.rank, MPI_INFO_NULL, &machine));
    CHECK_EQ(size_of(machine), m.size); /* tests run on one machine */
    CHECK_OK(MPI_Comm_free(&part));
    CHECK_OK(MPI_Comm_free(&machine));
    CHECK_OK(MPI_Comm_free(&copy));
    CHECK(copy == MPI_COMM_NULL && !copy.is_ep);
}

static void test_groups(member &m)
{
    MPI_Group all, even, odd, both, none, rest;
    std::vector<int> ranks, there(2, -1);
    int size = -1, rank = -1, result = -1, wanted[2] = {0, MPI_PROC_NULL};
    for (int i = 0; i < m.size; i += 2)
        ranks.push_back(i);
    int n = static_cast<int>(ranks.size());
    CHECK_OK(MPI_Comm_group(m.comm, &all));
    CHECK_OK(MPI_Group_size(all, &size));
    CHECK_OK(MPI_Group_rank(all, &rank));
    CHECK(size == m.size && rank == m.rank);
    CHECK_OK(MPI_Group_incl(all, n, ranks.data(), &even));
    CHECK_OK(MPI_Group_excl(all, n, ranks.data(), &odd));
    CHECK_OK(MPI_Group_rank(even, &rank));
    CHECK_EQ(rank, m.rank % 2 ? MPI_UNDEFINED : m.rank / 2);
    CHECK_OK(MPI_Group_union(even, odd, &both));
    CHECK_OK(MPI_Group_compare(both, all, &result));
    CHECK_EQ(result, m.size > 2 ? MPI_SIMILAR : MPI_IDENT);
    CHECK_OK(MPI_Group_intersection(even, odd, &none));
    CHECK(none == MPI_GROUP_EMPTY);
    CHECK_OK(MPI_Group_difference(all, odd, &rest));
    CHECK_OK(MPI_Group_compare(rest, even, &result));
    CHECK_EQ(result, MPI_IDENT);
    CHECK_OK(MPI_Group_translate_ranks(even, 2, wanted, all, there.data()));
    CHECK(there[0] == 0 && there[1] == MPI_PROC_NULL);
    MPI_Comm created, of_group;
    CHECK_OK(MPI_Comm_create(m.comm, even, &created));
    CHECK_EQ(created == MPI_COMM_NULL, m.rank % 2);
    if (m.rank % 2 == 0) {
        CHECK_OK(MPI_Comm_create_group(m.comm, even, 3, &of_group));
        CHECK_EQ(sum_of_ranks(of_group), n * (n - 1) / 2);
        CHECK_EQ(sum_of_ranks(created), n * (n - 1) / 2);
        CHECK_OK(MPI_Comm_free(&created));
        CHECK_OK(MPI_Comm_free(&of_group));
    }
    for (MPI_Group *group : {&all, &even, &odd, &both, &none, &rest}) {
        CHECK_OK(MPI_Group_free(group));
        CHECK(*group == MPI_GROUP_NULL);
    }
}

/* Groups of both kinds do not mix. */
static void test_mixed_groups(member &m)
{
    MPI_Group mine, classic, all;
    CHECK_OK(MPI_Comm_group(m.comm, &mine));
    CHECK_OK(MPI_Comm_group(MPI_COMM_WORLD, &classic));
    CHECK(mine != classic);
    CHECK_OK(MPI_Group_union(mine, MPI_GROUP_EMPTY, &all));
    CHECK_OK(MPI_Group_free(&all));
    CHECK_OK(MPI_Group_union(classic, MPI_GROUP_EMPTY, &all));
    CHECK_OK(MPI_Group_free(&all));
    CHECK_OK(MPI_Group_free(&mine));
    CHECK_OK(MPI_Group_free(&classic));
}

/* Even against odd ranks. */
static void test_intercommunicators(member &m)
{
    MPI_Comm half, inter, merged, copy;
    MPI_Group remote;
    int flag = 0, remotes = -1, size = -1, odd = m.rank % 2;
    if (m.size < 2)
        return;
    CHECK_OK(MPI_Comm_split(m.comm, odd, m.rank, &half));
    CHECK_OK(MPI_Intercomm_create(half, 0, m.comm, odd ? 0 : 1, 9, &inter));
    CHECK(inter.is_intercomm && inter.is_ep == m.comm.is_ep);
    CHECK_OK(MPI_Comm_test_inter(inter, &flag));
    CHECK_EQ(flag, 1);
    CHECK_OK(MPI_Comm_remote_size(inter, &remotes));
    CHECK_EQ(remotes, m.size - size_of(half));
    CHECK_OK(MPI_Comm_remote_group(inter, &remote));
    CHECK_OK(MPI_Group_size(remote, &size));
    CHECK_EQ(size, remotes);
    CHECK_OK(MPI_Group_free(&remote));
    CHECK(inter.ep_comm_ptr->intercomm != nullptr && half.ep_comm_ptr->intercomm == nullptr);
    void *address = inter.ep_comm_ptr->intercomm->mpi_inter_comm;
    CHECK(address != nullptr);
    CHECK_OK(MPI_Comm_dup(inter, &copy));
    CHECK(copy.is_intercomm);
    CHECK_OK(MPI_Intercomm_merge(copy, !odd, &merged)); /* the odd ones first */
    CHECK(!merged.is_intercomm);
    CHECK_EQ(size_of(merged), m.size);
    CHECK_EQ(rank_of(merged), odd ? m.rank / 2 : m.size / 2 + m.rank / 2);
    CHECK_EQ(sum_of_ranks(merged), m.size * (m.size - 1) / 2);
    for (MPI_Comm *comm : {&merged, &copy, &inter, &half})
        CHECK_OK(MPI_Comm_free(comm));
}

/* Two at once of one peer communicator, which come in another order in each process: tags tell them apart. */
static void test_simultaneous_intercommunicators()
{
    MPI_Comm *peers = nullptr, *local[2], peer;
    int process = rank_of(MPI_COMM_WORLD);
    std::vector<std::thread> threads;
    CHECK_OK(MPI_Comm_create_endpoints(MPI_COMM_WORLD, 1, MPI_INFO_NULL, peers));
    for (MPI_Comm *&alone : local)
        CHECK_OK(MPI_Comm_create_endpoints(MPI_COMM_SELF, 1, MPI_INFO_NULL, alone));
    peer = peers[0];
    for (int k = 0; k < 2 && process < 2 && size_of(peer) > 1; k++) {
        int i = k ^ process;
        threads.emplace_back([=] {
            MPI_Comm inter;
            int got = -1;
            CHECK_OK(MPI_Intercomm_create(local[i][0], 0, peer, 1 - process, 20 + i, &inter));
            CHECK_OK(MPI_Sendrecv(&i, 1, MPI_INT, 0, 0, &got, 1, MPI_INT, 0, 0, inter, MPI_STATUS_IGNORE));
            CHECK_EQ(got, i);
            CHECK_OK(MPI_Comm_free(&inter));
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(50)); /* the other one comes later */
    }
    for (std::thread &thread : threads)
        thread.join();
    for (MPI_Comm *comm : {local[0], local[1], peers})
        CHECK_OK(MPI_Comm_free(comm));
    for (MPI_Comm *made : {local[0], local[1], peers})
        delete[] made;
}

/* A tag that is none, in groups of one: nobody waits. */
static void test_wrong_tag(member &m)
{
    MPI_Comm single, inter;
    int error_class = -1;
    if (m.size < 2 || !m.comm.is_ep)
        return;
    CHECK_OK(MPI_Comm_split(m.comm, m.rank, 0, &single));
    if (m.rank < 2) {
        CHECK_OK(
            MPI_Error_class(MPI_Intercomm_create(single, 0, m.comm, 1 - m.rank, -7, &inter), &error_class));
        CHECK_EQ(error_class, MPI_ERR_TAG);
    }
    CHECK_OK(MPI_Comm_free(&single));
}

/* ---- the fields ---- */

static void test_fields(member &m)
{
    MPI_Comm half;
    const std::pair<int, int> *info = m.comm.ep_comm_ptr->size_rank_info;
    int processes = -1, process = -1;
    CHECK_OK(MPI_Comm_size(MPI_COMM_WORLD, &processes));
    CHECK_OK(MPI_Comm_rank(MPI_COMM_WORLD, &process));
    CHECK(info[0].first == m.rank && info[0].second == m.size);
    CHECK(info[1].first == m.index && info[1].second == m.local);
    CHECK(info[2].first == process && info[2].second == processes);
    CHECK(m.comm->is_ep == m.comm.is_ep && !m.comm->is_intercomm);
    /* A pointer as far as one can see. */
    auto *part = &*m.comm.ep_comm_ptr;
    part = nullptr;
    part = m.comm.ep_comm_ptr;
    CHECK(part != nullptr && part->size_rank_info == info && part == m.comm.ep_comm_ptr);
    CHECK(m.comm.ep_comm_ptr != NULL && NULL != m.comm->ep_comm_ptr && m.comm.ep_comm_ptr != nullptr);
    CHECK(MPI_COMM_NULL.ep_comm_ptr == NULL && !MPI_COMM_NULL.ep_comm_ptr);
    if (m.comm.ep_comm_ptr)
        part = nullptr;
    CHECK(part == nullptr);
    /* Those of a part, backwards. */
    CHECK_OK(MPI_Comm_split(m.comm, m.rank % 2, -m.rank, &half));
    info = half->ep_comm_ptr->size_rank_info;
    CHECK(info[0].first == rank_of(half) && info[0].second == size_of(half));
    MPI_Comm classic = EP_Comm_f2c(MPI_Comm_c2f(MPI_COMM_NULL));
    CHECK(classic == MPI_COMM_NULL);
    void *address = half.mpi_comm, *again = half->mpi_comm;
    CHECK(address != nullptr && address == again);
    int locals = 0, mine = 1, first = m.index;
    CHECK_OK(MPI_Allreduce(&mine, &locals, 1, MPI_INT, MPI_SUM, half));
    CHECK(info[1].second <= locals && info[1].first < info[1].second && info[2].first < info[2].second &&
          first >= 0);
    CHECK_OK(MPI_Comm_free(&half));
}

/* Of endpoints that several calls have made, in mine's set, joined with those of the other set; low comes first. */
static MPI_Comm join(member &m, MPI_Comm mine, int leader_there, bool low)
{
    MPI_Comm inter, merged;
    CHECK_OK(MPI_Intercomm_create(mine, 0, m.comm, leader_there, 3, &inter));
    const std::pair<int, int> *info = inter.ep_comm_ptr->size_rank_info;
    CHECK(info[0].first == rank_of(mine) && info[0].second == size_of(mine));
    CHECK(info[1] == mine.ep_comm_ptr->size_rank_info[1] && info[2] == mine.ep_comm_ptr->size_rank_info[2]);
    CHECK_OK(MPI_Intercomm_merge(inter, !low, &merged));
    CHECK_OK(MPI_Comm_free(&inter));
    return merged;
}

static void check_info(MPI_Comm comm, std::pair<int, int> among_locals, std::pair<int, int> process)
{
    const std::pair<int, int> *info = comm.ep_comm_ptr->size_rank_info;
    MPI_Comm behind = MPI_Comm_f2c(EP_Comm_c2f(comm));
    CHECK(info[0].first == rank_of(comm) && info[0].second == size_of(comm));
    CHECK_EQ(info[1].first, among_locals.first);
    CHECK_EQ(info[1].second, among_locals.second);
    CHECK_EQ(info[2].first, process.first);
    CHECK_EQ(info[2].second, process.second);
    CHECK_EQ(rank_of(behind), process.first);
    CHECK_EQ(size_of(behind), process.second);
}

/* Each half of the processes has endpoints of its own. */
static void test_origins_apart(member &m)
{
    MPI_Comm mine, whole, turned;
    int process = rank_of(MPI_COMM_WORLD), processes = size_of(MPI_COMM_WORLD), first = processes / 2;
    bool low = process < first;
    if (processes < 2)
        return;
    int theirs = low ? m.size : m.rank, leader = -1;
    CHECK_OK(MPI_Allreduce(&theirs, &leader, 1, MPI_INT, MPI_MIN, m.comm));
    if (m.index == 0) {
        MPI_Comm half;
        CHECK_OK(MPI_Comm_split(MPI_COMM_WORLD, low, process, &half));
        CHECK_OK(MPI_Comm_create_endpoints(half, m.local, MPI_INFO_NULL, passage));
        CHECK_OK(MPI_Comm_free(&half));
    }
    meet(m);
    mine = passage[m.index];
    whole = join(m, mine, low ? leader : 0, low);
    check_info(whole, {m.index, m.local}, {process, processes});
    CHECK_OK(MPI_Comm_split(whole, 0, -m.rank, &turned));
    CHECK_OK(MPI_Comm_free(&mine));
    CHECK_OK(MPI_Comm_free(&whole));
    meet(m);
    if (m.index == 0) { /* the others do not ask */
        CHECK_EQ(turned.ep_comm_ptr->size_rank_info[1].first, m.local - 1);
        CHECK_EQ(turned.ep_comm_ptr->size_rank_info[1].second, m.local);
        CHECK_EQ(turned.ep_comm_ptr->size_rank_info[2].second, processes);
        delete[] passage;
    }
    meet(m);
    CHECK_OK(MPI_Comm_free(&turned));
}

/* Each process has endpoints of two calls. */
static void test_origins_together(member &m)
{
    static MPI_Comm *made[2];
    int process = rank_of(MPI_COMM_WORLD), processes = size_of(MPI_COMM_WORLD), odd = m.index % 2;
    int evens = (m.local + 1) / 2, least = 0;
    CHECK_OK(MPI_Allreduce(&m.local, &least, 1, MPI_INT, MPI_MIN, m.comm));
    if (least < 2)
        return;
    if (m.index == 0)
        for (int i = 0; i < 2; i++)
            CHECK_OK(MPI_Comm_create_endpoints(MPI_COMM_WORLD, i ? m.local - evens : evens, MPI_INFO_NULL,
                                               made[i]));
    meet(m);
    MPI_Comm mine = made[odd][m.index / 2], whole = join(m, mine, !odd, !odd);
    check_info(whole, {odd ? evens + m.index / 2 : m.index / 2, m.local}, {process, processes});
    CHECK_OK(MPI_Comm_free(&whole));
    CHECK_OK(MPI_Comm_free(&mine));
    meet(m);
    if (m.index == 0)
        for (MPI_Comm *endpoints : made)
            delete[] endpoints;
}

/* The classic communicator behind one of endpoints has a rank in each process. */
static void test_classic_behind(member &m)
{
    MPI_Comm half;
    CHECK_OK(MPI_Comm_split(m.comm, 0, -m.rank, &half));
    MPI_Comm behind = MPI_Comm_f2c(EP_Comm_c2f(half));
    CHECK(!behind.is_ep && behind != half);
    CHECK_EQ(size_of(behind), half.ep_comm_ptr->size_rank_info[2].second);
    CHECK_EQ(rank_of(behind), half.ep_comm_ptr->size_rank_info[2].first);
    meet(m);
    CHECK_OK(MPI_Comm_free(&half));
}

/* ---- numbers ---- */

static void test_numbers(member &m)
{
    MPI_Comm other;
    MPI_Fint number = MPI_Comm_c2f(m.comm);
    CHECK(MPI_Comm_f2c(number) == m.comm);
    CHECK(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_WORLD)) == MPI_COMM_WORLD);
    int as_number = EP_Comm_c2f(m.comm);
    MPI_Fint *as_pointer = static_cast<MPI_Fint *>(EP_Comm_c2f(m.comm));
    void *as_void = EP_Comm_c2f(m.comm);
    CHECK(*as_pointer == as_number && *static_cast<MPI_Fint *>(as_void) == as_number);
    CHECK_EQ(*static_cast<MPI_Fint *>(EP_Comm_c2f(m.comm)), as_number);
    CHECK(EP_Comm_f2c(as_number) == m.comm && EP_Comm_f2c(as_pointer) == m.comm &&
          EP_Comm_f2c(as_void) == m.comm);
    CHECK(EP_Comm_f2c(&as_number) == m.comm && EP_Comm_f2c(EP_Comm_c2f(m.comm)) == m.comm);
    meet(m);
    if (m.index == 0 && m.comm.is_ep) { /* while the others are in meet */
        int mine = 0;
        for (const auto &entry : fc_comm_map)
            mine += entry.first.first == as_number;
        CHECK_EQ(mine, m.local);
    }
    meet(m);
    /* A number of no endpoint is MPI's. */
    CHECK(EP_Comm_f2c(MPI_Comm_c2f(MPI_COMM_SELF)) == MPI_COMM_SELF);
    /* What is freed is forgotten. */
    CHECK_OK(MPI_Comm_dup(m.comm, &other));
    int freed = EP_Comm_c2f(other);
    CHECK(freed != as_number && EP_Comm_f2c(freed) == other);
    meet(m);
    MPI_Comm copy = other;
    CHECK_OK(MPI_Comm_free(&other));
    meet(m);
    for (const auto &entry : fc_comm_map)
        CHECK(entry.second != copy);
    meet(m);
}

/* As XIOS's cxios_init_client begins, in all threads. What others have written down stays. */
static void test_cleared_numbers(member &m)
{
    for (int round = 0; round < 20; round++) {
        int number = EP_Comm_c2f(m.comm);
        meet(m);
        if (m.index != round % m.local)
            ep_lib::fc_comm_map.clear();
        meet(m);
        CHECK_EQ(EP_Comm_f2c(number) == m.comm, m.index == round % m.local);
    }
}

/* ---- endpoints, made in each way and handed over as XIOS does it ---- */

static void test_passage()
{
    MPI_Comm *made = nullptr, base;
    CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &base));
    CHECK_OK(MPI_Comm_create_endpoints(base, 2, MPI_INFO_NULL, made));
    passage = made;
    CHECK(passage[0].is_ep && passage[1].is_ep && passage[0] != passage[1]);
    CHECK_EQ(rank_of(passage[1]), 2 * rank_of(base) + 1);
    for (int i = 0; i < 2; i++)
        CHECK_OK(MPI_Comm_free(&passage[i]));
    delete[] passage;
    passage = nullptr;
    for (bool by_address : {false, true}) {
        if (by_address)
            CHECK_OK(MPI_Comm_create_endpoints(&base, 1, MPI_INFO_NULL, made));
        else
            CHECK_OK(MPI_Comm_create_endpoints(base.mpi_comm, 1, MPI_INFO_NULL, made));
        CHECK_EQ(size_of(made[0]), size_of(base));
        CHECK_OK(MPI_Comm_free(&made[0]));
        delete[] made;
    }
    CHECK_OK(MPI_Comm_free(&base));
}

int main(int argc, char **argv)
{
    return run_program(&argc, &argv, [] {
        test_passage();
        test_simultaneous_intercommunicators();
        on_endpoints(test_wrong_tag);
        on_endpoints(test_mixed_groups);
        on_endpoints(test_classic_behind);
        on_endpoints(test_origins_apart);
        on_endpoints(test_origins_together);
        on_endpoints(test_cleared_numbers);
        for (const team_body &body : std::vector<team_body>{
                 test_asked, test_derived, test_groups, test_intercommunicators, test_fields, test_numbers})
            on_both(body);
    });
}
