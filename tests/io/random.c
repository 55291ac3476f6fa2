/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * random.c: views, memory types, pointers and accesses by chance, checked against a memory image of the file.
 *
 * A tile of the file is cut into units, each of which belongs to one endpoint; an endpoint's filetype has its
 * units of a tile, and so on in the tiles behind it. So endpoints never write to the same bytes, and each
 * knows what its own must be. The file has its final size from the beginning: reads beyond it are short. At
 * the end all bytes are compared with what all endpoints know.
 */
#include "place.h"
#include <stdlib.h>
#include <string.h>

enum { UNITS = 48, SIZE = 300000, STEPS = 40, AMOUNT = 8000 };

/* The same in all endpoints. */
typedef struct {
    int disp, unit, owner[UNITS];
} tiling;

typedef struct {
    team_t *t;
    ep_file fh;
    tiling g;
    char *image;   /* SIZE bytes; what is not mine is 0 */
    size_t *place; /* of each byte of my data */
    size_t data;   /* bytes that I have in the file */
    int etype_size;
    MPI_Datatype etype;
    size_t pointer; /* in etypes */
} reader;

/* ---- views ---- */

static tiling choose_tiling(uint64_t *common, int size, int etype_size)
{
    tiling g = {random_below(common, 100),
                etype_size * (1 + random_below(common, random_below(common, 3) ? 4 : 60)),
                {0}};
    int regular = random_below(common, 2), length = 1 + random_below(common, 3);
    for (int i = 0; i < UNITS; i++)
        g.owner[i] = regular ? i / length % size : random_below(common, size + 1); /* some are nobody's */
    return g;
}

static int mine(const tiling *g, int rank, int index[UNITS])
{
    int n = 0;
    for (int i = 0; i < UNITS; i++)
        if (g->owner[i] == rank)
            index[n++] = i;
    return n;
}

/* As many as there are endpoints: nobody. */
static int owner_of(const reader *p, size_t at)
{
    size_t disp = (size_t)p->g.disp, unit = (size_t)p->g.unit;
    return at < disp ? p->t->size : p->g.owner[(at - disp) % (unit * UNITS) / unit];
}

static void find_places(reader *p)
{
    p->data = 0;
    for (size_t at = 0; at < SIZE; at++)
        if (owner_of(p, at) == p->t->rank)
            p->place[p->data++] = at;
}

static void set_view(reader *p, uint64_t *common)
{
    static const MPI_Datatype etypes[] = {MPI_BYTE, MPI_SHORT, MPI_INT, MPI_DOUBLE};
    int index[UNITS], lengths[UNITS];
    MPI_Datatype units, filetype, unit;
    p->etype = etypes[random_below(common, 4)];
    MPI_Type_size(p->etype, &p->etype_size);
    p->g = choose_tiling(common, p->t->size, p->etype_size);
    int n = mine(&p->g, p->t->rank, index);
    for (int i = 0; i < n; i++)
        lengths[i] = 1;
    MPI_Type_contiguous(p->g.unit / p->etype_size, p->etype, &unit);
    MPI_Type_indexed(n, lengths, index, unit, &units);
    MPI_Type_create_resized(units, 0, (MPI_Aint)p->g.unit * UNITS, &filetype);
    MPI_Type_commit(&filetype);
    EXPECT_OK(ep_file_set_view(p->fh, p->g.disp, p->etype, filetype, "native", MPI_INFO_NULL));
    MPI_Type_free(&unit);
    MPI_Type_free(&units);
    MPI_Type_free(&filetype);
    find_places(p);
    p->pointer = 0;
}

/* ---- memory ---- */

/* n etypes in memory: one after the other, or in blocks with gaps. */
typedef struct {
    char *memory;
    size_t bytes, at; /* where the first is */
    int n, block, stride, count;
    MPI_Datatype type;
} buffer;

static buffer choose_buffer(reader *p, int n)
{
    uint64_t *r = &p->t->random;
    buffer b = {.n = n, .block = n, .stride = n, .count = n, .type = p->etype};
    if (n > 1 && random_below(r, 2)) {
        for (b.block = 1 + random_below(r, n); n % b.block; b.block--)
            ;
        b.stride = b.block + random_below(r, 5);
        b.count = 1;
        MPI_Type_vector(n / b.block, b.block, b.stride, p->etype, &b.type);
        MPI_Type_commit(&b.type);
    }
    b.bytes = ((size_t)(n / (b.block ? b.block : 1)) * (size_t)b.stride + 1) * (size_t)p->etype_size;
    b.memory = xmalloc(b.bytes);
    return b;
}

static void free_buffer(reader *p, buffer *b)
{
    if (b->type != p->etype)
        MPI_Type_free(&b->type);
    free(b->memory);
}

/* Byte i of the data. */
static char *byte_of(const reader *p, const buffer *b, size_t i)
{
    size_t size = (size_t)p->etype_size, k = i / size, block = (size_t)b->block;
    return b->memory + (k / block * (size_t)b->stride + k % block) * size + i % size;
}

/* ---- accesses ---- */

/* So that it may be beyond the end. */
static size_t choose_offset(reader *p)
{
    return (size_t)random_below(&p->t->random, (int)(p->data / (size_t)p->etype_size) + 20);
}

static void write_some(reader *p, int by_pointer, int all_of_us)
{
    size_t size = (size_t)p->etype_size, all = p->data / size,
           at = by_pointer ? p->pointer : choose_offset(p), most = at < all ? all - at : 0;
    buffer b = choose_buffer(p, random_below(&p->t->random, (int)(most < AMOUNT ? most : AMOUNT) + 1));
    ep_status status;
    int n;
    for (size_t i = 0; i < (size_t)b.n * size; i++)
        p->image[p->place[at * size + i]] = *byte_of(p, &b, i) = (char)random_next(&p->t->random);
    if (by_pointer)
        EXPECT_OK((all_of_us ? ep_file_write_all : ep_file_write)(p->fh, b.memory, b.count, b.type, &status));
    else
        EXPECT_OK((all_of_us ? ep_file_write_at_all : ep_file_write_at)(p->fh, (MPI_Offset)at, b.memory,
                                                                        b.count, b.type, &status));
    EXPECT_OK(ep_get_count(&status, p->etype, &n));
    EXPECT_EQ(n, b.n);
    p->pointer += by_pointer ? (size_t)b.n : 0;
    free_buffer(p, &b);
}

static void read_some(reader *p, int by_pointer, int all_of_us)
{
    size_t size = (size_t)p->etype_size, at = by_pointer ? p->pointer : choose_offset(p), wrong = 0;
    buffer b = choose_buffer(p, random_below(&p->t->random, AMOUNT));
    size_t there = at * size < p->data ? p->data - at * size : 0, want = (size_t)b.n * size;
    ep_status status;
    int n;
    memset(b.memory, 0x5a, b.bytes);
    if (by_pointer)
        EXPECT_OK((all_of_us ? ep_file_read_all : ep_file_read)(p->fh, b.memory, b.count, b.type, &status));
    else
        EXPECT_OK((all_of_us ? ep_file_read_at_all : ep_file_read_at)(p->fh, (MPI_Offset)at, b.memory,
                                                                      b.count, b.type, &status));
    want = want < there ? want : there;
    EXPECT_OK(ep_get_count(&status, MPI_BYTE, &n));
    EXPECT_EQ(n, want);
    for (size_t i = 0; i < want; i++)
        wrong += *byte_of(p, &b, i) != p->image[p->place[at * size + i]];
    for (size_t i = want; i < (size_t)b.n * size; i++)
        wrong += *byte_of(p, &b, i) != 0x5a;
    EXPECT_EQ(wrong, 0);
    p->pointer += by_pointer ? (size_t)b.n : 0;
    free_buffer(p, &b);
}

static void seek(reader *p)
{
    p->pointer = choose_offset(p);
    EXPECT_OK(ep_file_seek(p->fh, (MPI_Offset)p->pointer, MPI_SEEK_SET));
}

static void step(reader *p)
{
    int what = random_below(&p->t->random, 9);
    if (what == 0)
        seek(p);
    else if (what < 5)
        write_some(p, what % 2, 0);
    else
        read_some(p, what % 2, 0);
}

static void together_step(reader *p, uint64_t *common)
{
    int what = random_below(common, 4);
    if (what < 2)
        write_some(p, what, 1);
    else
        read_some(p, what - 2, 1);
}

/* The whole file is what all know of it. */
static void compare(reader *p, const char *name, char *all)
{
    char *got = xmalloc(SIZE);
    EXPECT_OK(ep_file_sync(p->fh));
    EXPECT_OK(ep_allreduce(p->image, all, SIZE, MPI_BYTE, MPI_BOR, p->t->comm));
    place_read(name, got, SIZE, 0);
    EXPECT(memcmp(got, all, SIZE) == 0);
    free(got);
}

/* What was written under another view is in the image of the endpoint whose it is now; what is nobody's, in
 * the first one's. */
static void take_over(reader *p, const char *all)
{
    for (size_t at = 0; at < SIZE; at++) {
        int owner = owner_of(p, at);
        p->image[at] = owner % p->t->size == p->t->rank ? all[at] : 0;
    }
}

static void play(team_t *t, const char *hints)
{
    char name[PLACE], *all = calloc(1, SIZE);
    uint64_t common = harness_seed();
    int rounds = 12 / harness_slowness() + 2;
    reader p = {.t = t, .image = calloc(1, SIZE), .place = xmalloc(SIZE * sizeof *p.place)};
    place_make(t, name);
    p.fh = place_open(t, name, MPI_MODE_RDWR | MPI_MODE_CREATE, hints);
    EXPECT_OK(ep_file_set_size(p.fh, SIZE));
    for (int i = 0; i < rounds && p.fh != EP_FILE_NULL; i++) {
        set_view(&p, &common);
        take_over(&p, all);
        for (int k = 0; k < STEPS / harness_slowness() + 1; k++)
            if (random_below(&common, 3))
                step(&p);
            else
                together_step(&p, &common);
        compare(&p, name, all);
    }
    if (p.fh != EP_FILE_NULL)
        EXPECT_OK(ep_file_close(&p.fh));
    place_free(t, name);
    free(all);
    free(p.image);
    free(p.place);
}

static void automatic(team_t *t, void *arg)
{
    (void)arg;
    play(t, NULL);
}

static void piecewise(team_t *t, void *arg)
{
    (void)arg;
    play(t, "romio_ds_read=disable");
}

static void sieved(team_t *t, void *arg)
{
    (void)arg;
    play(t, "romio_ds_write=enable");
}

/* Small buffers are often full; collective accesses take many rounds. */
static void little(team_t *t, void *arg)
{
    (void)arg;
    play(t, "romio_ds_write=enable ind_rd_buffer_size=4096 ind_wr_buffer_size=4096 cb_buffer_size=4096");
}

static void rounds_of_blocks(team_t *t, void *arg)
{
    (void)arg;
    play(t, "cb_buffer_size=5000");
}

static const harness_test tests[] = {
    {"automatic", automatic, NULL}, {"piecewise", piecewise, NULL},     {"sieved", sieved, NULL},
    {"little", little, NULL},       {"rounds", rounds_of_blocks, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "io random", tests);
}
