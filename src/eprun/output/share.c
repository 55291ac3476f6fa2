/* SPDX-License-Identifier: BSD-3-Clause */
#include "eprun/output/output.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/base.h"

/* Descriptors that go from the first process to the others: stdout, stderr, the memory with the lock. */
enum { FILES = 3, OUTPUT_SHARE_ROOM = CMSG_SPACE(FILES * sizeof(int)) };

struct output_share_address {
    struct sockaddr_un name;
    socklen_t size; /* 0: there is none */
};

/* Does the user want mpirun to keep the output of processes apart? */
static bool is_wanted(void)
{
    static const char *const apart[] = {"tag_output", "timestamp_output", "output_filename", "xml_output",
                                        "xterm"};
    char name[64];
    if (launch_keeps_affinity())
        return launch_is_under_mpirun();
    for (size_t i = 0; i < sizeof apart / sizeof apart[0]; i++) {
        snprintf(name, sizeof name, "OMPI_MCA_orte_%s", apart[i]);
        if (getenv(name))
            return false;
    }
    return getenv("OMPI_MCA_orte_launch") != NULL;
}

/* A socket with a name that the kernel chooses, outside of the file system. */
static int listen_there(struct output_share_address *a, int others)
{
    int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    a->name.sun_family = AF_UNIX;
    a->size = sizeof a->name;
    if (s >= 0 && bind(s, (struct sockaddr *)&a->name, sizeof(sa_family_t)) == 0 &&
        getsockname(s, (struct sockaddr *)&a->name, &a->size) == 0 && listen(s, others) == 0)
        return s;
    a->size = 0;
    if (s >= 0)
        close(s);
    return -1;
}

static int connect_there(const struct output_share_address *a)
{
    int s = a->size ? socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
    if (s < 0 || connect(s, (const struct sockaddr *)&a->name, a->size) == 0)
        return s;
    close(s);
    return -1;
}

static struct msghdr output_share_envelope(struct iovec *byte, char *room)
{
    memset(room, 0, OUTPUT_SHARE_ROOM);
    return (struct msghdr){
        .msg_iov = byte, .msg_iovlen = 1, .msg_control = room, .msg_controllen = OUTPUT_SHARE_ROOM};
}

static void output_share_give(int s, int memory)
{
    int files[FILES] = {STDOUT_FILENO, STDERR_FILENO, memory};
    _Alignas(struct cmsghdr) char room[OUTPUT_SHARE_ROOM];
    struct msghdr m = output_share_envelope(&(struct iovec){.iov_base = "", .iov_len = 1}, room);
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    *c = (struct cmsghdr){
        .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof files)};
    memcpy(CMSG_DATA(c), files, sizeof files);
    sendmsg(s, &m, MSG_NOSIGNAL);
}

/* The memory with the lock; -1: nothing came. */
static int output_share_take(int s)
{
    int files[FILES];
    char byte;
    _Alignas(struct cmsghdr) char room[OUTPUT_SHARE_ROOM];
    struct msghdr m = output_share_envelope(&(struct iovec){.iov_base = &byte, .iov_len = 1}, room);
    if (recvmsg(s, &m, MSG_CMSG_CLOEXEC) != 1)
        return -1;
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    if (!c || c->cmsg_type != SCM_RIGHTS || c->cmsg_len != CMSG_LEN(sizeof files))
        return -1;
    memcpy(files, CMSG_DATA(c), sizeof files);
    dup2(files[0], STDOUT_FILENO);
    dup2(files[1], STDERR_FILENO);
    close(files[0]);
    close(files[1]);
    return files[2];
}

/* To so many processes of this user. */
static void output_share_give_all(int s, int memory, int others)
{
    while (others > 0) {
        struct ucred who;
        socklen_t size = sizeof who;
        int c = accept4(s, NULL, NULL, SOCK_CLOEXEC);
        if (c >= 0 && getsockopt(c, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 && who.uid == geteuid()) {
            output_share_give(c, memory);
            others--;
        }
        if (c < 0)
            break;
        close(c);
    }
}

static pthread_mutex_t *output_share_map(int memory)
{
    void *lock = mmap(NULL, sizeof(pthread_mutex_t), PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    return lock == MAP_FAILED ? NULL : lock;
}

/* In memory that others can map, too; *memory is -1 if there is none. */
static pthread_mutex_t *make_lock(int *memory)
{
    *memory = memfd_create("eprun output", MFD_CLOEXEC);
    pthread_mutex_t *lock =
        *memory >= 0 && file_may_have(sizeof *lock) && ftruncate(*memory, sizeof *lock) == 0
            ? output_share_map(*memory)
            : NULL;
    return lock && output_init_lock(lock, true) ? lock : NULL;
}

static pthread_mutex_t *output_attach_shared(MPI_Comm node, int rank, int size)
{
    struct output_share_address a = {.size = 0};
    int memory = -1;
    pthread_mutex_t *lock = rank == 0 ? make_lock(&memory) : NULL;
    int s = lock ? listen_there(&a, size) : -1;
    MPI_Bcast(&a, sizeof a, MPI_BYTE, 0, node);
    if (rank > 0)
        s = connect_there(&a);
    int here = rank > 0 && s >= 0, others = 0;
    MPI_Allreduce(&here, &others, 1, MPI_INT, MPI_SUM, node);
    if (rank == 0 && s >= 0)
        output_share_give_all(s, memory, others);
    else if (here && (memory = output_share_take(s)) >= 0)
        lock = output_share_map(memory);
    if (s >= 0)
        close(s);
    if (memory >= 0)
        close(memory);
    return lock;
}

pthread_mutex_t *output_share(void)
{
    MPI_Comm node;
    pthread_mutex_t *lock = NULL;
    int rank, size, wanted = is_wanted(), all = 0;
    if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node) != MPI_SUCCESS)
        return NULL;
    MPI_Comm_rank(node, &rank);
    MPI_Comm_size(node, &size);
    MPI_Allreduce(&wanted, &all, 1, MPI_INT, MPI_MIN, node);
    if (all && size > 1)
        lock = output_attach_shared(node, rank, size);
    MPI_Comm_free(&node);
    return lock;
}
