/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * refuse.c: to be preloaded: a system that does not let processes share memory. EP_TEST_REFUSE:
 *   readv   no process reads another one's memory      readv1  process 1 does not
 *   memfd   there are no anonymous files               memfd1  not in process 1
 *   short   reads give at most 1000 bytes at a time    late    nothing yet: the test changes it
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int refused(const char *what)
{
    const char *wanted = getenv("EP_TEST_REFUSE"), *rank = getenv("OMPI_COMM_WORLD_RANK");
    size_t n = strlen(what);
    if (!rank)
        rank = getenv("PMI_RANK");
    if (!wanted || strncmp(wanted, what, n) != 0)
        return 0;
    return wanted[n] == '\0' || (rank && strcmp(wanted + n, rank) == 0);
}

ssize_t process_vm_readv(pid_t pid, const struct iovec *to, unsigned long n, const struct iovec *from,
                         unsigned long m, unsigned long flags)
{
    struct iovec less = from[0];
    if (refused("readv")) {
        errno = EPERM;
        return -1;
    }
    if (refused("short") && less.iov_len > 1000) {
        less.iov_len = 1000;
        return syscall(SYS_process_vm_readv, pid, to, n, &less, 1ul, flags);
    }
    return syscall(SYS_process_vm_readv, pid, to, n, from, m, flags);
}

int memfd_create(const char *name, unsigned flags)
{
    if (!refused("memfd"))
        return (int)syscall(SYS_memfd_create, name, flags);
    errno = ENOSYS;
    return -1;
}
