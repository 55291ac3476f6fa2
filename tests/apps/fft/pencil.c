/* SPDX-License-Identifier: BSD-3-Clause */
/* pencil.c: who has which pencils, and how their direction is changed. */
#include "fft.h"
#include <stdlib.h>
#include <string.h>

void pencils_create(pencils *p, const int n[3])
{
    int rank, size, dims[2] = {0, 0};
    size_t shapes[3];
    *p = (pencils){.n = {n[0], n[1], n[2]}};
    MPI_Comm_rank(fft_comm, &rank);
    MPI_Comm_size(fft_comm, &size);
    MPI_Dims_create(size, 2, dims);
    p->columns = dims[0];
    p->rows = dims[1];
    p->my_column = rank / p->rows;
    p->my_row = rank % p->rows;
    MPI_Comm_split(fft_comm, p->my_column, p->my_row, &p->row);
    MPI_Comm_split(fft_comm, p->my_row, p->my_column, &p->column);
    p->x = part_of(n[0], p->columns, p->my_column);
    p->y = part_of(n[1], p->rows, p->my_row);
    p->z = part_of(n[2], p->rows, p->my_row);
    p->y_along_x = part_of(n[1], p->columns, p->my_column);
    shapes[0] = (size_t)p->x.count * (size_t)p->y.count * (size_t)n[2];
    shapes[1] = (size_t)p->x.count * (size_t)p->z.count * (size_t)n[1];
    shapes[2] = (size_t)p->z.count * (size_t)p->y_along_x.count * (size_t)n[0];
    for (int i = 0; i < 3; i++) {
        p->room = shapes[i] > p->room ? shapes[i] : p->room;
        line_plan_create(&p->plan[i], n[i]);
    }
    p->other = fft_alloc(p->room, sizeof *p->other);
    p->packed = fft_alloc(p->room, sizeof *p->packed);
    p->received = fft_alloc(p->room, sizeof *p->received);
    p->counts = fft_alloc(4 * (size_t)size, sizeof *p->counts);
}

void pencils_destroy(pencils *p)
{
    for (int i = 0; i < 3; i++)
        line_plan_destroy(&p->plan[i]);
    free(p->other);
    free(p->packed);
    free(p->received);
    free(p->counts);
    MPI_Comm_free(&p->row);
    MPI_Comm_free(&p->column);
}

/* What one transpose changes: lines along `old` become lines along `new`, in each of `planes` planes. */
typedef struct {
    MPI_Comm comm;
    int parts, mine; /* of comm: its size and my rank */
    int planes, plane_stride;
    int old_points, new_points; /* of the whole field in both directions */
    int line_stride;            /* from one old line of a plane to the next */
} turn;

/* For each process what of my old lines will be in its new ones: [plane][old][new]. */
static void pack(const turn *t, const number *from, number *packed)
{
    int mine = part_of(t->new_points, t->parts, t->mine).count;
    for (int r = 0; r < t->parts; r++) {
        part theirs = part_of(t->old_points, t->parts, r);
        for (int plane = 0; plane < t->planes; plane++)
            for (int i = theirs.first; i < theirs.first + theirs.count; i++)
                for (int j = 0; j < mine; j++)
                    *packed++ = from[plane * t->plane_stride + j * t->line_stride + i];
    }
}

/* The pieces of my new lines, one from each process. */
static void unpack(const turn *t, const number *received, number *to)
{
    int lines = t->planes * part_of(t->old_points, t->parts, t->mine).count;
    for (int r = 0; r < t->parts; r++) {
        part theirs = part_of(t->new_points, t->parts, r);
        for (int line = 0; line < lines; line++, received += theirs.count)
            memcpy(to + line * t->new_points + theirs.first, received, (size_t)theirs.count * sizeof *to);
    }
}

static void transpose(pencils *p, const turn *t, const number *from, number *to)
{
    int old_mine = part_of(t->old_points, t->parts, t->mine).count,
        new_mine = part_of(t->new_points, t->parts, t->mine).count;
    int *sent = p->counts, *sent_at = sent + t->parts, *got = sent_at + t->parts, *got_at = got + t->parts;
    double begun = MPI_Wtime();
    for (int r = 0, s = 0, g = 0; r < t->parts; s += sent[r], g += got[r], r++) {
        sent[r] = t->planes * part_of(t->old_points, t->parts, r).count * new_mine;
        got[r] = t->planes * old_mine * part_of(t->new_points, t->parts, r).count;
        sent_at[r] = s;
        got_at[r] = g;
    }
    pack(t, from, p->packed);
    MPI_Alltoallv(p->packed, sent, sent_at, MPI_C_DOUBLE_COMPLEX, p->received, got, got_at,
                  MPI_C_DOUBLE_COMPLEX, t->comm);
    unpack(t, p->received, to);
    p->moving += MPI_Wtime() - begun;
}

static void transform_lines(const line_plan *plan, number *lines, int count, int sign)
{
    for (int i = 0; i < count; i++)
        line_transform(plan, lines + (size_t)i * (size_t)plan->n, sign);
}

void pencils_forth(pencils *p, number *data)
{
    turn z_to_y = {p->row, p->rows, p->my_row, p->x.count, p->y.count * p->n[2], p->n[2], p->n[1], p->n[2]};
    /* [x][z][y]: planes are those of one z, whose lines are one x apart. */
    turn y_to_x = {p->column, p->columns, p->my_column, p->z.count,
                   p->n[1],   p->n[1],    p->n[0],      p->z.count * p->n[1]};
    transform_lines(&p->plan[2], data, p->x.count * p->y.count, 1);
    transpose(p, &z_to_y, data, p->other);
    transform_lines(&p->plan[1], p->other, p->x.count * p->z.count, 1);
    transpose(p, &y_to_x, p->other, data);
    transform_lines(&p->plan[0], data, p->z.count * p->y_along_x.count, 1);
}

void pencils_back(pencils *p, number *data)
{
    turn x_to_y = {p->column, p->columns, p->my_column, p->z.count, p->y_along_x.count * p->n[0],
                   p->n[0],   p->n[1],    p->n[0]};
    /* [z][x][y]: what came out of that transpose. */
    turn y_to_z = {p->row, p->rows, p->my_row, p->x.count, p->n[1], p->n[1], p->n[2], p->x.count * p->n[1]};
    transform_lines(&p->plan[0], data, p->z.count * p->y_along_x.count, -1);
    transpose(p, &x_to_y, data, p->other);
    transform_lines(&p->plan[1], p->other, p->z.count * p->x.count, -1);
    transpose(p, &y_to_z, p->other, data);
    transform_lines(&p->plan[2], data, p->x.count * p->y.count, -1);
}
