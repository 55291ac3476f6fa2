/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/process.h"

#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "comm/error.h"
#include "crt/crt.h"

struct process process = {
    .mpi_tag_ub = 32767,
    .gated = true,
    .gate = LOCK_FREE(MPI),
    .errhandler = EP_ERRORS_ARE_FATAL,
    .no_file = EP_ERRORS_RETURN};

static struct lock start_lock = LOCK_FREE(START);
static _Atomic bool started; /* release and acquire process_start */
static pthread_t main_thread;

bool process_is_main_thread(void)
{
    return pthread_equal(main_thread, pthread_self());
}

static bool mpi_has_begun(void)
{
    int on = 0;
    MPI_Initialized(&on);
    return on;
}

__attribute__((constructor)) static void fix_level(void)
{
    mode_too_late_if(mpi_has_begun);
}

static _Thread_local char identity;

bool process_occupies(void)
{
    return load_relaxed(&process.occupant) == (uintptr_t)&identity;
}

bool process_is_occupied(void)
{
    return load_relaxed(&process.occupant) != 0 && !process_occupies();
}

/* The user's function holds no lock of ep's: it may call what takes those of lower rank. */
void process_occupy(void)
{
    lock_acquire(&process.gate);
    lock_check_release(&process.gate);
    store_relaxed(&process.occupant, (uintptr_t)&identity);
}

void process_vacate(void)
{
    store_relaxed(&process.occupant, 0);
    lock_check_got(&process.gate);
    lock_release(&process.gate);
}

/* MPI underneath is running, and not yet finalised. */
bool process_mpi_runs(void)
{
    int off = 0;
    MPI_Finalized(&off);
    return mpi_has_begun() && !off;
}

static uint64_t hash_text(uint64_t hash, const char *text, ssize_t n)
{
    for (ssize_t i = 0; i < n; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    return hash;
}

/* One running kernel and one name space of shared memory. */
static uint64_t identify_machine(void)
{
    char text[256];
    uint64_t hash = 0xcbf29ce484222325u;
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        hash = hash_text(hash, text, read(fd, text, sizeof text));
        close(fd);
    }
    if (gethostname(text, sizeof text) == 0)
        hash = hash_text(hash, text, (ssize_t)strnlen(text, sizeof text));
    return hash_text(hash, text, readlink("/proc/self/ns/ipc", text, sizeof text));
}

/* The first thread inside ep is taken for the main one, which matters with FUNNELED alone: there only the
 * main thread may create endpoints, and that comes first. */
static void process_learn(void)
{
    int *ub, flag;
    MPI_Query_thread(&process.thread_level);
    process.gated = process.thread_level < MPI_THREAD_MULTIPLE;
    process.funneled = process.thread_level < MPI_THREAD_SERIALIZED;
    main_thread = pthread_self();
    MPI_Comm_rank(MPI_COMM_WORLD, &process.rank);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &ub, &flag);
    if (flag)
        process.mpi_tag_ub = *ub;
    process.machine = identify_machine();
    mode_fix(!process.funneled);
}

MPI_Errhandler process_mute(MPI_Comm users)
{
    MPI_Errhandler handler;
    MPI_Comm_get_errhandler(users, &handler);
    if (handler != MPI_ERRORS_RETURN)
        MPI_Comm_set_errhandler(users, MPI_ERRORS_RETURN);
    return handler;
}

/* Two threads may be at it on one communicator: only one of them has found the user's handler, so no other one is set. */
void process_unmute(MPI_Comm users, MPI_Errhandler handler)
{
    if (handler != MPI_ERRORS_RETURN)
        MPI_Comm_set_errhandler(users, handler);
    MPI_Errhandler_free(&handler);
}

/* Without the user's attributes. An MPI error code. */
static int process_make_self(void)
{
    MPI_Errhandler handler = process_mute(MPI_COMM_SELF);
    int rc = MPI_Comm_split(MPI_COMM_SELF, 0, 0, &process.self);
    process_unmute(MPI_COMM_SELF, handler);
    if (rc == MPI_SUCCESS)
        MPI_Comm_set_errhandler(process.self, MPI_ERRORS_RETURN);
    return rc;
}

int process_start(void)
{
    if (!process_mpi_runs())
        return MPI_ERR_OTHER;
    if (load_acquire(&started))
        return MPI_SUCCESS;
    int rc = MPI_SUCCESS;
    lock_acquire(&start_lock);
    if (!load_relaxed(&started) && (rc = process_make_self()) == MPI_SUCCESS) {
        process_learn();
        store_release(&started, true);
    }
    lock_release(&start_lock);
    return rc == MPI_SUCCESS ? rc : error_class_of_mpi(rc);
}

/* ---- The end of MPI ---- */

static struct {
    struct lock lock;
    bool watches;                    /* under lock */
    void (*_Atomic run[ENDS])(void); /* set under lock; read by the thread that ends MPI */
} ending = {.lock = LOCK_FREE(ENDING)};

/* MPI calls it first of all in MPI_Finalize. */
static int process_mpi_ends(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    for (int i = 0; i < ENDS; i++) {
        void (*run)(void) = load_acquire(&ending.run[i]);
        if (run)
            run();
    }
    return MPI_SUCCESS;
}

/* False: MPI has no memory for it, so the next that wants to be called tries again. */
static bool watch_end(void)
{
    int key;
    if (MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, process_mpi_ends, &key, NULL) != MPI_SUCCESS)
        return false;
    MPI_Errhandler handler = process_mute(MPI_COMM_SELF);
    int rc = MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    process_unmute(MPI_COMM_SELF, handler);
    MPI_Comm_free_keyval(&key); /* goes with the attribute */
    return rc == MPI_SUCCESS;
}

void process_at_end(enum at_end when, void (*run)(void))
{
    lock_acquire(&ending.lock);
    store_release(&ending.run[when], run);
    if (!ending.watches)
        ending.watches = watch_end();
    lock_release(&ending.lock);
}

void process_stop(void)
{
    lock_acquire(&start_lock);
    if (load_relaxed(&started)) {
        if (process_mpi_runs())
            MPI_Comm_free(&process.self);
        store_release(&started, false);
    }
    lock_release(&start_lock);
}
