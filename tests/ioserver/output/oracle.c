/* SPDX-License-Identifier: BSD-3-Clause */
#include "oracle.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static double *axis(int n, double first, double step, double **bounds)
{
    double *points = xmalloc((size_t)n * sizeof *points);
    *bounds = xmalloc(2 * (size_t)n * sizeof **bounds);
    for (int i = 0; i < n; i++) {
        points[i] = first + i * step;
        (*bounds)[2 * i] = points[i] - step / 2;
        (*bounds)[2 * i + 1] = points[i] + step / 2;
    }
    return points;
}

static void init_grid(struct grid *grid, uint64_t *random, int least)
{
    grid->nx = least + random_below(random, 20);
    grid->ny = least + random_below(random, 20);
    grid->nz = 1 + random_below(random, 5);
    grid->lon = axis(grid->nx, 0.5, 1.25, &grid->lon_bounds);
    grid->lat = axis(grid->ny, -80.5, 7, &grid->lat_bounds);
    grid->depth = axis(grid->nz, 5, 10, &grid->depth_bounds);
    grid->missing = 1e20f;
    grid->title = "a title";
    grid->source = "a model";
}

/* Divide the rectangle r: into itself and one more, either may become empty. */
static void divide(struct oracle *oracle, int r, uint64_t *random)
{
    struct block *a = &oracle->rectangles[r], *b = &oracle->rectangles[oracle->num_rectangles++];
    *b = *a;
    if (random_below(random, 2)) {
        a->num_rows = random_below(random, a->num_rows + 1);
        b->first_row += a->num_rows;
        b->num_rows -= a->num_rows;
    } else {
        a->num_columns = random_below(random, a->num_columns + 1);
        b->first_column += a->num_columns;
        b->num_columns -= a->num_columns;
    }
}

/* At most three in one process. */
static void give_away(struct oracle *oracle, uint64_t *random)
{
    int counts[MAX_RECTANGLES] = {0}, processes;
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    oracle->rectangles[0] = (struct block){0, oracle->grid.ny, 0, oracle->grid.nx};
    oracle->num_rectangles = 1;
    int wanted = 1 + random_below(random, 3 * processes < MAX_RECTANGLES ? 3 * processes : MAX_RECTANGLES);
    while (oracle->num_rectangles < wanted)
        divide(oracle, random_below(random, oracle->num_rectangles), random);
    for (int r = 0; r < oracle->num_rectangles; r++) {
        int owner = random_below(random, processes);
        while (counts[owner] == 3)
            owner = (owner + 1) % processes;
        counts[owner]++;
        oracle->owners[r] = owner;
    }
}

static void init_outputs(struct oracle *oracle, uint64_t *random)
{
    int n = (oracle->mixture == BOTH) + 1 + random_below(random, MAX_OUTPUTS - 1);
    for (int o = 0; o < n; o++) {
        enum operation operation = oracle->mixture == INSTANTS ? INSTANT : AVERAGE + random_below(random, 3);
        if (oracle->mixture == BOTH && o == n - 1)
            operation = INSTANT;
        snprintf(oracle->names[o], sizeof oracle->names[o], "field%d", o);
        oracle->outputs[o] = (struct iodef_output){oracle->names[o], random_below(random, 2), 0, operation};
    }
    oracle->file.num_outputs = oracle->iodef.num_outputs = n;
}

void oracle_init(struct oracle *oracle, uint64_t *random, enum format format, enum mixture mixture, int least)
{
    static char texts[][24] = {"temp", "sea_water_temperature", "potential temperature", "degC",
                               "ssh",  "sea_surface_height",    "height of the sea",     "m"};
    *oracle = (struct oracle){.mixture = mixture, .num_records = random_below(random, 5)};
    oracle->fields[0] = (struct iodef_field){texts[0], texts[1], texts[2], texts[3], 1};
    oracle->fields[1] = (struct iodef_field){texts[4], texts[5], texts[6], texts[7], 0};
    oracle->file =
        (struct iodef_file){.name = "file", .every = 1 + random_below(random, 9), .format = format};
    oracle->iodef =
        (struct iodef){2000, 2, 30, 21600, 100, oracle->fields, &oracle->file, oracle->outputs, 2, 1, 0};
    init_grid(&oracle->grid, random, least);
    init_outputs(oracle, random);
    give_away(oracle, random);
}

void oracle_free(struct oracle *oracle)
{
    struct grid *grid = &oracle->grid;
    double *all[] = {grid->lon,        grid->lat,        grid->depth,
                     grid->lon_bounds, grid->lat_bounds, grid->depth_bounds};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

float oracle_value(int output, int record, int level, int row, int column)
{
    int n = column + 128 * (row + 128 * (level + 8 * (record + 8 * output)));
    return n % 7 == 3 ? 1e20f : (float)n + 0.25f;
}

int oracle_levels(const struct oracle *oracle, int output)
{
    return oracle->fields[oracle->outputs[output].field].is_3d ? oracle->grid.nz : 1;
}

static float *make_values(const struct oracle *oracle, int o, int record, const struct block *b)
{
    size_t n = 0, levels = (size_t)oracle_levels(oracle, o);
    float *values = xmalloc((levels * (size_t)b->num_rows * (size_t)b->num_columns + 1) * sizeof *values);
    for (int k = 0; k < (int)levels; k++)
        for (int j = b->first_row; j < b->first_row + b->num_rows; j++)
            for (int i = b->first_column; i < b->first_column + b->num_columns; i++)
                values[n++] = oracle_value(o, record, k, j, i);
    return values;
}

static int write_record(const struct oracle *oracle, struct output *output, int record, int n,
                        const struct block *blocks, char message[OUTPUT_MESSAGE])
{
    int num_outputs = oracle->file.num_outputs;
    float *data[MAX_OUTPUTS * MAX_RECTANGLES];
    for (int d = 0; d < num_outputs * n; d++)
        data[d] = make_values(oracle, d / n, record, &blocks[d % n]);
    int result = output_write(output, record, n, blocks, (const float *const *)data, message);
    for (int d = 0; d < num_outputs * n; d++)
        free(data[d]);
    return result;
}

int oracle_write(const struct oracle *oracle, struct output *output, int first, int last, int all,
                 int *failed, char message[OUTPUT_MESSAGE])
{
    struct block mine[MAX_RECTANGLES] = {{0, oracle->grid.ny, 0, oracle->grid.nx}};
    int n = all, rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int r = 0; !all && r < oracle->num_rectangles; r++)
        if (oracle->owners[r] == rank)
            mine[n++] = oracle->rectangles[r];
    for (*failed = first; *failed < last; ++*failed)
        if (write_record(oracle, output, *failed, n, mine, message))
            return -1;
    return 0;
}

void make_folder(char path[ORACLE_PATH])
{
    int rank;
    const char *top = getenv("TMPDIR");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(path, ORACLE_PATH, "%s/ep_output.XXXXXX", top ? top : "/tmp");
    if (rank == 0)
        EXPECT(mkdtemp(path) != NULL);
    MPI_Bcast(path, ORACLE_PATH, MPI_CHAR, 0, MPI_COMM_WORLD);
}

void remove_folder(const char *path)
{
    int rank;
    char name[2 * ORACLE_PATH];
    struct dirent *entry;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    DIR *dir = rank == 0 ? opendir(path) : NULL;
    while (dir && (entry = readdir(dir))) {
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.' && unlink(name))
            rmdir(name);
    }
    if (dir)
        closedir(dir);
    rmdir(path);
    MPI_Barrier(MPI_COMM_WORLD);
}
