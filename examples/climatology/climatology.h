/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * climatology.h: what the parts of the example share. One job runs as P processes x T threads, each
 * thread an endpoint; the last endpoint of each process is a server, all others are models.
 */
#ifndef CLIMATOLOGY_H
#define CLIMATOLOGY_H

#include <ep.h>
#include <netcdf.h>
#include <stddef.h>

/* What the models deliver, and which file the servers make of it. */
enum { SST, UWND, VWND, WSPD, NFIELD };
/* The first fields are read from the input, the rest is computed from them. */
enum { NINPUT = WSPD };

/* The longitude-latitude grid and the months of the input. Longitudes start anywhere (at 21 E here)
 * in the input and within 0..360 in the output: the last `wrapped` columns become the first ones. */
struct grid {
    int nmonth, nlat, nlon, wrapped;
    double *time;   /* middle of each month */
    double *lat;    /* rising */
    double *lon;    /* rising, 0..360: output order */
    double *weight; /* of one cell in each row: proportional to its area */
    double time_step, lat_step, lon_step;
    char time_units[128];
    float missing;
};

/* One job as seen by one process; read-only while the endpoints run. */
struct job {
    int nserver; /* processes */
    int nthread; /* endpoints per process */
    int nmodel;  /* models in all processes */
    int ncid;    /* the input, opened once per process */
    int varid[NINPUT];
    const char *output_dir;
    struct grid grid;
    int *rows, *first; /* the band of each rank; servers have none */
};

/* Rows of one model: [first, first + rows). Models without rows (more models than rows) are fine. */
struct band {
    int first, rows;
};

static inline int is_server(const struct job *job, int rank)
{
    return rank % job->nthread == job->nthread - 1;
}

/* Rank of the server that a field goes to: they are dealt out round robin. */
static inline int rank_of_server(const struct job *job, int field)
{
    return (field % job->nserver + 1) * job->nthread - 1;
}

/* A server stands behind each nthread - 1 models, so that many ranks are no models. */
static inline int model_of_rank(const struct job *job, int rank)
{
    return rank - rank / job->nthread;
}

static inline struct band band_of_model(const struct job *job, int model)
{
    int first = job->grid.nlat * model / job->nmodel;
    return (struct band){first, job->grid.nlat * (model + 1) / job->nmodel - first};
}

/* main.c */
_Noreturn void fail(const char *what, const char *why);
void *allocate(size_t count, size_t size);

/* input.c. NetCDF-C keeps its state in globals without locks: two threads must not be inside it at
 * once, not even with different files. All calls are therefore in `omp critical(netcdf)`, one lock
 * for the whole process, input and output alike. No ep call is made inside it. */
void nc_check(int status, const char *what);
void open_input(struct job *job, const char *path);
void close_input(struct job *job);
/* One month of one field in these rows, in the order of the input file. */
void read_band(const struct job *job, int field, int month, struct band band, float *values);

/* model.c */
void run_model(const struct job *job, ep_comm world, int rank);

/* server.c. means[field * nmonth + month] are set for the fields of this server. */
void run_server(const struct job *job, ep_comm world, int server, double *means);

/* output.c: one file per field, written by one server. */
struct output {
    int ncid, monthly, mean, annual;
};
struct output create_output(const struct job *job, int field);
void write_month(struct output out, const struct grid *grid, int month, const float *values, double mean);
void close_output(struct output out, const float *annual);

#endif
