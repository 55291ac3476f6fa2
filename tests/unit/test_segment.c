/* SPDX-License-Identifier: BSD-3-Clause */
/* test_segment.c: memory shared by a key: by two mappings, by a child process; and keys of something else. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "comm/segment.h"
#include "unit.h"

enum { BYTES = 100000, DESCRIPTORS = 64 };

static int open_descriptors(void)
{
    int n = 0;
    for (int fd = 0; fd < DESCRIPTORS; fd++)
        n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

static bool is_zero(const struct segment *s, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (s->base[i])
            return false;
    return true;
}

START_TEST(two_mappings)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), sizes[] = {0, 1, page, BYTES};
    int before = open_descriptors();
    for (int i = 0; i < 4; i++) {
        struct segment a, b;
        struct segment_key key;
        size_t n = sizes[i];
        ck_assert(segment_make(&a, n, &key));
        ck_assert(segment_open(&b, &key));
        segment_seal(&a);
        ck_assert(a.base != b.base);
        ck_assert_uint_eq((uintptr_t)a.base % page + (uintptr_t)b.base % page, 0);
        ck_assert(is_zero(&a, n) && is_zero(&b, n));
        memset(a.base, 0x5a, n);
        ck_assert_int_eq(memcmp(a.base, b.base, n), 0);
        struct segment late;
        ck_assert(!segment_open(&late, &key));
        segment_free(&a);
        ck_assert(n == 0 || b.base[n - 1] == 0x5a);
        segment_free(&b);
        ck_assert_ptr_null(b.base);
        ck_assert_int_eq(open_descriptors(), before);
    }
}
END_TEST

/* A key that a child gets must lead to the parent's memory although the child has a pid and descriptors of its own. */
static int child(const struct segment_key *key)
{
    struct segment s;
    if (!segment_open(&s, key))
        return 1;
    _Atomic int *word = (_Atomic int *)(void *)s.base;
    store_release(&word[1], getpid());
    add_acq_rel(&word[0], 1);
    segment_free(&s);
    return 0;
}

START_TEST(other_process)
{
    struct segment s;
    struct segment_key key;
    int status;
    ck_assert(segment_make(&s, BYTES, &key));
    _Atomic int *word = (_Atomic int *)(void *)s.base;
    for (int i = 1; i <= 3; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            close(s.fd);
            _exit(child(&key));
        }
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        ck_assert_int_eq(load_acquire(&word[0]), i);
        ck_assert_int_eq(load_acquire(&word[1]), pid);
    }
    segment_free(&s);
}
END_TEST

/* The same memory under another name. */
static int a_copy(const struct segment *s)
{
    int fd = memfd_create("ep-window", MFD_CLOEXEC);
    ck_assert_int_eq(write(fd, s->all, s->room), (ssize_t)s->room);
    return fd;
}

/* Where nobody writes: opening it would block for ever. */
static int a_fifo(char dir[])
{
    char path[128];
    ck_assert_ptr_nonnull(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/fifo", dir);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    int fd = open(path, O_RDONLY | O_NONBLOCK);
    unlink(path);
    rmdir(dir);
    return fd;
}

START_TEST(wrong_keys)
{
    struct segment a, b, s;
    struct segment_key key_a, key_b;
    char dir[] = "/tmp/ep-segment-XXXXXX";
    int fifo = a_fifo(dir), before = open_descriptors();
    ck_assert_int_ge(fifo, 0);
    ck_assert(segment_make(&a, BYTES, &key_a) && segment_make(&b, BYTES, &key_b));
    int copy = a_copy(&a);
    for (int i = 0; i < 7; i++) {
        struct segment_key wrong = key_a;
        const int64_t fds[] = {key_b.fd, copy, fifo, 1000000, -1};
        if (i < 5)
            wrong.fd = fds[i];
        else if (i == 5)
            wrong.bytes += BYTES;
        else
            wrong.pid = 0;
        ck_assert(!segment_open(&s, &wrong));
        ck_assert_ptr_null(s.base);
    }
    /* the right name, but other memory */
    uint64_t id = 4711;
    memcpy(a.all, &id, sizeof id);
    ck_assert(!segment_open(&s, &key_a));
    ck_assert(segment_open(&s, &key_b));
    segment_free(&s);
    segment_free(&a);
    segment_free(&b);
    close(copy);
    close(fifo);
    ck_assert_int_eq(open_descriptors(), before - 1);
}
END_TEST

/* A page of it instead of something else, shared or one's own; and what was written to few of many pages. */
START_TEST(places)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = 1000 * page;
    struct segment s;
    struct segment_key key;
    ck_assert(segment_make(&s, bytes, &key));
    char *two = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *copy = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert(two != MAP_FAILED && copy != MAP_FAILED);
    memset(two, 7, 2 * page);
    s.base[998 * page] = 1;
    s.base[999 * page] = 2;
    ck_assert(segment_place(&s, 998 * page, page, two, false));
    ck_assert_int_eq(two[0], 1);
    ck_assert_int_eq(two[page], 7);
    two[1] = 3;
    ck_assert_int_eq(s.base[998 * page + 1], 3);
    ck_assert(segment_place(&s, 999 * page, page, two + page, true));
    ck_assert_int_eq(two[page], 2);
    two[page] = 4;
    ck_assert_int_eq(s.base[999 * page], 2);
    segment_unmap(&s);
    ck_assert_ptr_null(s.base);
    two[2] = 5;
    ck_assert(segment_read(&s, bytes, copy));
    ck_assert(copy[998 * page] == 1 && copy[998 * page + 1] == 3 && copy[998 * page + 2] == 5 && copy[999 * page] == 2);
    copy[998 * page] = copy[998 * page + 1] = copy[998 * page + 2] = copy[999 * page] = 0;
    for (size_t i = 0; i < bytes; i++)
        ck_assert_int_eq(copy[i], 0);
    segment_free(&s);
    munmap(two, 2 * page);
    munmap(copy, bytes);
}
END_TEST

/* More than there can be; and more than the process may have: the limit would end it. */
START_TEST(too_much)
{
    struct segment s;
    struct segment_key key;
    struct rlimit was, limit;
    int before = open_descriptors();
    ck_assert(!segment_make(&s, SIZE_MAX, &key));
    ck_assert(!segment_make(&s, SIZE_MAX / 2, &key));
    ck_assert(!segment_make(&s, SIZE_MAX / 2 - 8192, &key));
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &was), 0);
    limit = was;
    limit.rlim_cur = BYTES;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    bool made = segment_make(&s, BYTES, &key);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &was), 0);
    ck_assert(!made);
    ck_assert_ptr_null(s.base);
    ck_assert_int_eq(open_descriptors(), before);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {two_mappings, other_process, wrong_keys, places, too_much};
    return UNIT_MAIN("segment", tests);
}
