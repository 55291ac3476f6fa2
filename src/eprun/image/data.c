/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The variables of a program that uses OpenSHMEM are its symmetric data segment. They lie in its segments that stay
 * writable, page by page: those of the program alone, not of its libraries. Where they are in several segments (.ldata of
 * the medium code model) what lies between them is left as it is.
 */
#include <fnmatch.h>
#include <unistd.h>

#include "eprun/image/image.h"

enum { PARTS_MOST = 16 }; /* linkers make three at most, unless they are told otherwise */

struct pages {
    ElfW(Addr) from, to;
};

static bool needs_shmem(const struct elf *elf)
{
    size_t position = 0;
    for (const char *name; (name = elf_string(elf, DT_NEEDED, &position));)
        if (fnmatch("libep_shmem.so*", last_part(name), 0) == 0)
            return true;
    return false;
}

/* One that only a library of the program's uses, too. */
static bool uses_shmem(const struct copy_group *g)
{
    for (int i = 0; i < g->n; i++) {
        if (needs_shmem(&g->parts[i].object->elf))
            return true;
    }
    return false;
}

/* What the dynamic linker made read-only after it had relocated it. */
static struct pages relro_pages(const struct elf *elf, size_t page)
{
    for (int i = 0; i < elf_header(elf)->e_phnum; i++) {
        const ElfW(Phdr) *s = elf_segments(elf) + i;
        if (s->p_type == PT_GNU_RELRO)
            return (struct pages){s->p_vaddr / page * page, (s->p_vaddr + s->p_memsz) / page * page};
    }
    return (struct pages){0, 0};
}

/* Those pages of a segment. */
static size_t add_part(struct ep_rank_part parts[], size_t n, ElfW(Addr) base, const ElfW(Phdr) * s,
                       struct pages p)
{
    ElfW(Addr) given = s->p_vaddr + s->p_filesz;
    if (p.from >= p.to || n == PARTS_MOST)
        return n;
    parts[n] = (struct ep_rank_part){.start = (char *)base + p.from, .bytes = p.to - p.from};
    if (given > p.from)
        parts[n].given = given < p.to ? given - p.from : p.to - p.from;
    return n + 1;
}

/* Segments are in ascending order. */
static size_t find_parts(const struct elf *elf, ElfW(Addr) base, struct ep_rank_part parts[])
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), n = 0;
    struct pages relro = relro_pages(elf, page);
    for (int i = 0; i < elf_header(elf)->e_phnum; i++) {
        const ElfW(Phdr) *s = elf_segments(elf) + i;
        struct pages all = {s->p_vaddr / page * page, (s->p_vaddr + s->p_memsz + page - 1) / page * page};
        if (s->p_type != PT_LOAD || !(s->p_flags & PF_W) || (s->p_flags & PF_X))
            continue;
        if (relro.from < all.to && relro.to > all.from && relro.from < relro.to) {
            n = add_part(parts, n, base, s, (struct pages){all.from, relro.from});
            all.from = relro.to;
        }
        n = add_part(parts, n, base, s, all);
    }
    return n;
}

bool image_share_data(struct copy_group *g, struct mpi_rank *rank)
{
    struct ep_rank_part parts[PARTS_MOST];
    const struct part *program = group_root(g);
    return !uses_shmem(g) ||
           ep_rank_share_data(rank, parts, find_parts(&program->object->elf, program->base, parts));
}
