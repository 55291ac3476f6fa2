/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output_rescue.c: after a write that failed inside a library, which output_space.c could not foresee, say on a file
 * system that reserves nothing. Closing the file still writes: HDF5 its metadata. If that fails in one process, the
 * others wait in it for ever, and MPI_Finalize, where HDF5 tries again, does not end either. So the file gives back
 * the record that failed, which makes room for the metadata. If even then nothing can be written, the file goes on
 * in memory, where writes succeed, and what is on the disk stays as it is.
 *
 * That works with OMPI_MCA_fcoll=individual. By default Open MPI 4.1 writes collectively with "vulcan" where there are
 * three processes or more: a write that failed there stays pending for ever, and each later MPI_File_sync of that
 * process fails at once, while the others wait in it.
 */
#include "output_parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Can this process write a little after the last good record? */
static int can_write(const struct output *output)
{
    int fd = open(output->path, O_WRONLY), failed = 1;
    if (fd < 0)
        return 0;
    failed = space_write(fd, output->good_size, output->spare_bytes);
    if (fsync(fd)) /* some file systems say it only now */
        failed = 1;
    close(fd);
    return !failed;
}

/* Give back all after the last good record; can then all processes write? */
static int make_room(const struct output *output)
{
    int mine = output->num_records > 0, all;
    if (output->rank == 0 && mine)
        mine = truncate(output->path, output->good_size) == 0;
    MPI_Bcast(&mine, 1, MPI_INT, 0, output->comm);
    mine = mine && can_write(output);
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, output->comm);
    if (output->rank == 0 && all)
        all = truncate(output->path, output->good_size) == 0;
    MPI_Bcast(&all, 1, MPI_INT, 0, output->comm);
    return all;
}

/* Is this descriptor of the file? */
static int is_of(const struct stat *file, int fd)
{
    struct stat st;
    return fstat(fd, &st) == 0 && st.st_dev == file->st_dev && st.st_ino == file->st_ino;
}

/* The libraries' descriptors of the file become those of a file in memory. */
static void leave_disk(const struct stat *file)
{
    DIR *dir = opendir("/proc/self/fd");
    int memory = memfd_create("output", MFD_CLOEXEC);
    struct dirent *entry;
    while (dir && memory >= 0 && (entry = readdir(dir))) {
        int fd = atoi(entry->d_name);
        if (entry->d_name[0] != '.' && fd != dirfd(dir) && is_of(file, fd))
            dup2(memory, fd);
    }
    if (memory >= 0)
        close(memory);
    if (dir)
        closedir(dir);
}

void output_rescue(const struct output *output)
{
    struct stat file;
    int is_there = stat(output->path, &file) == 0;
    if (!make_room(output) && is_there)
        leave_disk(&file);
}
