/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c: the command line, and all that follows from it. */
#include "options.h"

#include "input.h"
#include "model.h"
#include "protocol.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char help[] =
    "mpirun -n PROCESSES ioserver [OPTION...] IODEF.xml\n"
    "  --layout L           CLIENTS+SERVERS of each process, comma separated, NxCLIENTS+SERVERS for N alike\n"
    "                       (default 1+1 in each); without servers (4+0) the clients write themselves\n"
    "  --data DIR           with levitus_climatology.cdf and coads_climatology.cdf\n"
    "  --output DIR         for the results (default .)\n"
    "  --format F           netcdf4 or cdf5, whatever IODEF.xml says\n"
    "  --steps N            as many time steps, whatever IODEF.xml says; files of longer periods stay empty\n"
    "  --coarsen N          every N-th point of the grid in each direction\n"
    "  --buffers N          steps of a field that a client keeps until it waits for the servers (default 4)\n"
    "  --progress           how far it is, also where stderr is no terminal\n"
    "To see what happens:\n"
    "  --slow-server MS     each record takes this much longer to write\n"
    "  --slow-client MS     each time step takes this much longer\n"
    "  --end-client R@STEP  client R ends after this step\n";

enum {
    LAYOUT = 256,
    DATA,
    OUTPUT,
    FORMAT,
    STEPS,
    COARSEN,
    BUFFERS,
    PROGRESS,
    SLOW_SERVER,
    SLOW_CLIENT,
    END_CLIENT,
    HELP
};

static const struct option long_options[] = {
    {"layout", required_argument, NULL, LAYOUT},
    {"data", required_argument, NULL, DATA},
    {"output", required_argument, NULL, OUTPUT},
    {"format", required_argument, NULL, FORMAT},
    {"steps", required_argument, NULL, STEPS},
    {"coarsen", required_argument, NULL, COARSEN},
    {"buffers", required_argument, NULL, BUFFERS},
    {"progress", no_argument, NULL, PROGRESS},
    {"slow-server", required_argument, NULL, SLOW_SERVER},
    {"slow-client", required_argument, NULL, SLOW_CLIENT},
    {"end-client", required_argument, NULL, END_CLIENT},
    {"help", no_argument, NULL, HELP},
    {0},
};

/* The first process that cannot go on, or their number. Collective: give_up in those that cannot, else job_setup. */
static int first_wrong(const struct job *job, int is_wrong)
{
    int mine = is_wrong ? job->process : job->num_processes, first;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return first;
}

/* Ends the run for a mistake that some or all processes have found: one of them says it. */
static _Noreturn void give_up(const struct job *job, const char *what, const char *why)
{
    if (first_wrong(job, 1) == job->process)
        fprintf(stderr, "ioserver: %s%s%s\n", what, *why ? ": " : "", why);
    MPI_Finalize();
    exit(2);
}

static int positive(const struct job *job, const char *option, const char *text)
{
    char *rest;
    long value = strtol(text, &rest, 10);
    if (rest == text || *rest || value < 1 || value > 1000000000)
        give_up(job, option, "is no positive number");
    return (int)value;
}

static void set_option(struct job *job, int option, const char *value)
{
    struct options *options = &job->options;
    int used = 0;
    switch (option) {
    case LAYOUT:
        options->layout = value;
        break;
    case DATA:
        options->data = value;
        break;
    case OUTPUT:
        options->output = value;
        break;
    case FORMAT:
        options->format = value;
        break;
    case STEPS:
        options->steps = positive(job, "--steps", value);
        break;
    case COARSEN:
        options->coarsen = positive(job, "--coarsen", value);
        break;
    case BUFFERS:
        options->buffers = positive(job, "--buffers", value);
        break;
    case PROGRESS:
        options->progress = 1;
        break;
    case SLOW_SERVER:
        options->slow_server = positive(job, "--slow-server", value);
        break;
    case SLOW_CLIENT:
        options->slow_client = positive(job, "--slow-client", value);
        break;
    case END_CLIENT:
        if (sscanf(value, "%d@%d%n", &options->end_client, &options->end_step, &used) < 2 || value[used] ||
            options->end_client < 0 || options->end_step < 1)
            give_up(job, "--end-client", "is not of the form CLIENT@STEP");
        break;
    case HELP:
        give_up(job, help, "");
    default:
        give_up(job, "--help lists the options", "");
    }
}

static void read_options(struct job *job, int argc, char **argv)
{
    int option;
    opterr = job->process == 0;
    job->options = (struct options){.output = ".",
                                    .coarsen = 1,
                                    .buffers = 4,
                                    .end_client = -1,
                                    .data = getenv("IOSERVER_DATA"),
                                    .progress = isatty(2)};
    while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1)
        set_option(job, option, optarg);
    if (optind != argc - 1)
        give_up(job, help, "");
    job->options.iodef = argv[optind];
    if (!job->options.data)
        give_up(job, "--data", "where are the start data?");
}

static void set_layout(struct job *job)
{
    char usual[32];
    snprintf(usual, sizeof usual, "%dx1+1", job->num_processes);
    const char *layout = job->options.layout ? job->options.layout : usual;
    if (layout_parse(job, layout))
        give_up(job, layout, "is no layout of these processes: CLIENTS+SERVERS of each, and a client");
    for (int i = 0; i < job->num_processes; i++)
        if (job->shares[i].clients + job->shares[i].servers == 0)
            give_up(job, layout, "leaves a process without endpoints");
    if (job->options.end_client >= job->num_clients)
        give_up(job, "--end-client", "there is no such client");
    if (job->num_servers == 0 && job->options.end_client >= 0)
        give_up(job, "--end-client", "clients that write together cannot end alone");
}

static void set_format(struct job *job)
{
    const char *name = job->options.format;
    if (!name)
        return;
    if (strcmp(name, format_name(NETCDF4)) && strcmp(name, format_name(CDF5)))
        give_up(job, "--format", "netcdf4 or cdf5");
    for (int i = 0; i < job->iodef->num_files; i++)
        job->iodef->files[i].format = strcmp(name, format_name(CDF5)) ? NETCDF4 : CDF5;
}

static void read_iodef(struct job *job)
{
    char error[1024];
    job->iodef = iodef_read(job->options.iodef, error, sizeof error);
    if (!job->iodef)
        give_up(job, error, "");
    if (job->options.steps)
        job->iodef->num_steps = job->options.steps;
    if (job->options.buffers > job->iodef->num_steps)
        job->options.buffers = job->iodef->num_steps; /* more have no use */
    if (job->options.end_step > job->iodef->num_steps)
        give_up(job, "--end-client", "the run has no such step");
    for (int i = 0; i < job->iodef->num_fields; i++) {
        const struct iodef_field *field = &job->iodef->fields[i];
        int number = model_find_field(field->id);
        if (number < 0)
            give_up(job, field->id, "the model has no such field");
        if (model_field_is_3d(number) != field->is_3d)
            give_up(job, field->id, "the model has it on another grid (2d, 3d)");
    }
    set_format(job);
}

void job_setup(struct job *job, int argc, char **argv)
{
    read_options(job, argc, argv);
    set_layout(job);
    read_iodef(job);
    streams_make(&job->streams, job->iodef);
    if (job->streams.num_streams > TAG_END)
        give_up(job, job->options.iodef, "more variables than there are tags for");
    read_grid(job);
    if (job->num_rows > job->grid.ny || job->num_columns > job->grid.nx)
        give_up(job, "--layout", "more clients than the grid has rows or columns");
    if (job->process == 0)
        mkdir(job->options.output, 0777);
    if (first_wrong(job, 0) < job->num_processes) {
        MPI_Finalize();
        exit(2);
    }
}

void job_free(struct job *job)
{
    free_grid(job);
    free(job->streams.streams);
    free(job->streams.of_output);
    iodef_free(job->iodef);
    free(job->shares);
}
