/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The variables of a program that uses OpenSHMEM are its symmetric data segment. They lie in its segments that stay writable, page by
 * page: those of the program alone, not of its libraries. Where they are in several segments (.ldata of the medium
 * code model) what lies between them is left as it is.
 */
#include <fnmatch.h>
#include <unistd.h>

#include "eprun/image/image.h"

enum { PARTS_MOST = 16 };

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

static size_t parts_add(struct ep_rank_part parts[], size_t n, ElfW(Addr) base, ElfW(Addr) from, ElfW(Addr) to)
{
    if (from < to && n < PARTS_MOST)
        parts[n++] = (struct ep_rank_part){(char *)base + from, to - from};
    return n;
}

/* Segments are in ascending order. */
static size_t data_find(const struct elf *elf, ElfW(Addr) base, struct ep_rank_part parts[])
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), n = 0;
    struct pages relro = relro_pages(elf, page);
    for (int i = 0; i < elf_header(elf)->e_phnum; i++) {
        const ElfW(Phdr) *s = elf_segments(elf) + i;
        ElfW(Addr) from = s->p_vaddr / page * page, to = (s->p_vaddr + s->p_memsz + page - 1) / page * page;
        if (s->p_type != PT_LOAD || !(s->p_flags & PF_W) || (s->p_flags & PF_X))
            continue;
        if (relro.to <= from || relro.from >= to || relro.from >= relro.to) {
            n = parts_add(parts, n, base, from, to);
        } else {
            n = parts_add(parts, n, base, from, relro.from);
            n = parts_add(parts, n, base, relro.to, to);
        }
    }
    return n;
}

bool image_share_data(struct copy_group *g, struct mpi_rank *rank)
{
    struct ep_rank_part parts[PARTS_MOST];
    const struct part *program = group_root(g);
    return !uses_shmem(g) ||
           ep_rank_share_data(rank, parts, data_find(&program->object->elf, program->base, parts));
}
