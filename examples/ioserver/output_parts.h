/* SPDX-License-Identifier: BSD-3-Clause */
/* output_parts.h: what the files output*.c share. */
#ifndef OUTPUT_PARTS_H
#define OUTPUT_PARTS_H

#include "output.h"

enum type { FLOAT, DOUBLE };

/* A part of a variable and the values for it. One that a process has nothing of has counts of 0. */
struct slab {
    int varid, ndims;
    enum type type;
    size_t start[4], count[4];
    const void *values;
};

/* A format. Functions return 0 or an error of its library; errno may say more. All are collective, and with equal
 * arguments but for the slabs, whose number and variables are equal. */
struct format_ops {
    int (*create)(const char *path, MPI_Comm comm, int *ncid);
    int (*define_dimension)(int ncid, const char *name, size_t length, int *dimid); /* length 0: no limit */
    int (*define_variable)(int ncid, const char *name, enum type type, int ndims, const int *dims,
                           const size_t *chunks, int *varid);
    int (*put_text)(int ncid, int varid, const char *name, const char *text); /* varid -1: of the file */
    int (*put_float)(int ncid, int varid, const char *name, float value);
    int (*end_definition)(int ncid);
    /* An error does not end it: the others of comm wait in the calls that follow. */
    int (*put)(int ncid, int num_slabs, const struct slab *slabs);
    int (*close)(int ncid);
    int (*abandon)(
        int ncid); /* the same with fewer calls that can fail; removes a file that is not defined */
    const char *(*error_text)(int error);
};

extern const struct format_ops netcdf4_ops, cdf5_ops;

struct output {
    const struct format_ops *ops;
    const struct iodef *iodef;
    const struct iodef_file *file;
    MPI_Comm comm;
    int rank, size; /* in comm */
    char *path;
    int ncid;
    int is_created, is_defined, has_failed, is_damaged;
    size_t nx, ny, nz;
    int time, time_bounds, time_instant; /* variables, -1: the file has none */
    int axes[3];                         /* depth, lat, lon; the bounds of each are the variable after it */
    int *varids;                         /* of the file's outputs */
    int num_records;
    long long record_bytes; /* of all processes */
    long long spare_bytes;  /* beside them: metadata that HDF5 writes when it likes */
    long long good_size;    /* of the file before the record, in all */
    long long reserved;     /* the disk has room for the file up to here */
    long long size_limit;   /* of a file of any process, -1: none */
    long long bytes;        /* of fields, by this process */
    struct slab *slabs;     /* memory for a record's */
    size_t num_slabs;
};

/* output.c */
/* Have all processes succeeded? Else -1, and in all of them the message of the first that failed. Collective. */
int output_agree(MPI_Comm comm, int has_failed, char message[OUTPUT_MESSAGE]);
/* "path: what: why" for this process's own failure. */
void output_explain(const struct output *output, const char *what, const char *why,
                    char message[OUTPUT_MESSAGE]);
/* The outcome of a library's call that all made, after which errno was `number`: agreed, and explained. */
int output_conclude(struct output *output, int error, int number, const char *what,
                    char message[OUTPUT_MESSAGE]);
int output_is_3d(const struct output *output, int o);
size_t output_levels(const struct output *output, int o);

/* output_cf.c. Both return 0 or an error of the format's library. */
int output_define(struct output *output, const struct grid *grid);
int output_put_axes(struct output *output, const struct grid *grid);
/* The time of a record: slabs that follow each other, at most 3. How many. */
int output_time_slabs(const struct output *output, int record, double values[4], struct slab slabs[3]);

/* output_space.c */
/* Make the disk keep room for one more record. 0 or an errno. Rank 0 alone. */
int space_reserve(struct output *output);
/* What was reserved and not needed goes back. Rank 0 alone, once the file is closed. */
void space_give_back(const struct output *output);
/* The most that a file of this process may have, -1: any size. */
long long space_limit(void);
/* Bytes beside its records that a file may need until the next one, or until it is closed. */
long long space_spare(const struct output *output);
/* Can there be a file of this name, and of some size? It is empty then. 0 or an errno. Rank 0 alone. */
int space_try(struct output *output);
/* Write n zeros. 0 or an errno. */
int space_write(int fd, long long from, long long n);
/* Is the file too short after a record, on a disk that is full? Rank 0 alone. */
int space_is_short(const struct output *output);
/* Did a write fail, though no library says so, by the errno after a call? */
int space_is_lost(int number);
/* Why a call failed after which errno was `number`: in words, where the library has none. */
const char *space_reason(const struct output *output, int number, int error);

/* output_rescue.c */
/* Makes it safe to close a file after a write that failed within the library. Collective. */
void output_rescue(const struct output *output);

#endif
