/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What of a copy the dynamic linker neither reads nor changes. It need not be written: its place in the copy's file is a hole, and
 * when the copy is loaded the file's own bytes are mapped there (copy_share), so that 300 ranks of a program of 30 MB do not
 * write 9 GB when they start, and variables that nobody changes are one in memory for all ranks and processes.
 *
 * Two kinds:
 *   segments that are not writable and have the file's bytes, code and constants, but for those with tables that the dynamic linker
 *   reads: what the dynamic section points to, the headers, notes.
 *   runs of pages in writable segments without a relocation: arrays of numbers. What lies in any special segment (the dynamic
 *   section, thread-local variables, what becomes read-only after relocation) is written, as is what differs from the file.
 *
 * Nothing else may look there before it is mapped: no function of a copy runs before that (parts.c), and no other library has
 * references to it. But the resolver of an indirect function is code that runs while the dynamic linker relocates, and may call and
 * read whatever is loaded with it: objects that are loaded together are all written whole if one has such a function (object.c).
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "eprun/image/elf.h"

enum { RUN_LEAST = 16 }; /* pages: each run is one more mapping, of which a process may have 65,530 */

#if defined(__x86_64__)
#define R_INDIRECT R_X86_64_IRELATIVE
#define REL_TYPE ELF64_R_TYPE
#elif defined(__aarch64__)
#define R_INDIRECT R_AARCH64_IRELATIVE
#define REL_TYPE ELF64_R_TYPE
#endif

/* Is the value of such an entry a number or an offset, not an address? */
static bool is_number(ElfW(Sxword) tag)
{
    static const ElfW(Sxword)
        tags[] = {DT_NEEDED,    DT_PLTRELSZ, DT_RELASZ,     DT_RELAENT,   DT_STRSZ,     DT_SYMENT,
                  DT_SONAME,    DT_RPATH,    DT_SYMBOLIC,   DT_RELSZ,     DT_RELENT,    DT_PLTREL,
                  DT_DEBUG,     DT_TEXTREL,  DT_BIND_NOW,   DT_RUNPATH,   DT_FLAGS,     DT_FLAGS_1,
                  DT_RELACOUNT, DT_RELCOUNT, DT_VERNEEDNUM, DT_VERDEFNUM, ELF_TAG_TAKEN};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        if (tag == tags[i])
            return true;
    }
    return tag == 35 || tag == 37; /* DT_RELRSZ, DT_RELRENT, which older headers lack */
}

/* ---- relocations ---- */

/* Called for each place that one changes. */
typedef void place_function(void *arg, ElfW(Addr) place);

/* Those of one table, of entries with an offset and an info in front. False: it is not there, or has an indirect function. */
static bool each_of_table(const struct elf *elf, ElfW(Addr) at, size_t bytes, size_t entry, place_function *f,
                          void *arg)
{
    const char *table = bytes > 0 ? elf_loaded(elf, at, bytes) : NULL;
    bool direct = true;
    for (size_t i = 0; table && i < bytes / entry; i++) {
        ElfW(Rel) r;
        memcpy(&r, table + i * entry, sizeof r);
        f(arg, r.r_offset);
#ifdef R_INDIRECT
        direct &= REL_TYPE(r.r_info) != R_INDIRECT;
#endif
    }
    return direct && (table || bytes == 0);
}

/* DT_RELR: an even word is the place of one; an odd one has a bit for each of the 63 words that follow. */
static bool each_of_relative(const struct elf *elf, place_function *f, void *arg)
{
    size_t bytes = elf_value(elf, 35), n = bytes / sizeof(ElfW(Addr));
    const char *table = bytes > 0 ? elf_loaded(elf, elf_value(elf, 36), bytes) : NULL;
    ElfW(Addr) place = 0, word;
    for (size_t i = 0; table && i < n; i++) {
        memcpy(&word, table + i * sizeof word, sizeof word);
        if (word % 2 == 0) {
            f(arg, word);
            place = word + sizeof word;
            continue;
        }
        for (size_t k = 0; (word >>= 1) != 0; k++) {
            if (word & 1)
                f(arg, place + k * sizeof word);
        }
        place += (8 * sizeof word - 1) * sizeof word;
    }
    return table || bytes == 0;
}

static bool each_relocation(const struct elf *elf, place_function *f, void *arg)
{
    size_t jump = elf_value(elf, DT_PLTREL) == DT_REL ? sizeof(ElfW(Rel)) : sizeof(ElfW(Rela));
    bool direct =
        each_of_table(elf, elf_value(elf, DT_RELA), elf_value(elf, DT_RELASZ), sizeof(ElfW(Rela)), f, arg);
    direct &= each_of_table(elf, elf_value(elf, DT_REL), elf_value(elf, DT_RELSZ), sizeof(ElfW(Rel)), f, arg);
    direct &= each_of_table(elf, elf_value(elf, DT_JMPREL), elf_value(elf, DT_PLTRELSZ), jump, f, arg);
    return each_of_relative(elf, f, arg) && direct;
}

static void no_place(void *arg, ElfW(Addr) place)
{
    (void)arg, (void)place;
}

bool elf_is_direct(const struct elf *elf)
{
#ifdef R_INDIRECT
    size_t n = 0;
    const ElfW(Sym) *symbols = elf_symbols(elf, &n);
    for (size_t i = 0; symbols && i < n; i++) {
        if (ELF64_ST_TYPE(symbols[i].st_info) == STT_GNU_IFUNC && symbols[i].st_shndx != SHN_UNDEF)
            return false;
    }
    return symbols && each_relocation(elf, no_place, NULL);
#else
    (void)elf;
    return false;
#endif
}

/* ---- segments that are not writable ---- */

static bool segment_has(const ElfW(Phdr) * s, ElfW(Addr) address)
{
    return address >= s->p_vaddr && address - s->p_vaddr < s->p_memsz;
}

/* A segment that lies in others, of which the dynamic linker reads something, or makes something of. */
static bool is_special(const ElfW(Phdr) * s)
{
    return s->p_type != PT_LOAD && s->p_type != PT_GNU_STACK && s->p_type != PT_GNU_EH_FRAME &&
           s->p_type != PT_INTERP;
}

static bool is_unread(const struct elf *elf, const ElfW(Phdr) * s)
{
    size_t n;
    const ElfW(Dyn) *d = elf_dynamic(elf, &n);
    if (s->p_type != PT_LOAD || s->p_offset == 0 || elf_origin(elf, s) != ELF_FILE)
        return false;
    for (int i = 0; i < elf_header(elf)->e_phnum; i++) {
        if (is_special(elf_segments(elf) + i) && segment_has(s, elf_segments(elf)[i].p_vaddr))
            return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (!is_number(d[i].d_tag) && segment_has(s, d[i].d_un.d_val))
            return false;
    }
    return true;
}

/* ---- pages of a writable one ---- */

struct writable {
    const struct elf *elf;
    const ElfW(Phdr) * s;
    size_t page, first, n; /* bytes of a page; the segment's whole pages of the file, by number */
    bool *used;
};

static void writable_use(struct writable *w, ElfW(Addr) from, size_t bytes)
{
    ElfW(Addr) begin = w->s->p_vaddr - w->s->p_offset + w->first * w->page, end = begin + w->n * w->page;
    if (from < begin) {
        bytes -= bytes < begin - from ? bytes : begin - from;
        from = begin;
    }
    for (; bytes > 0 && from < end; from += w->page) {
        w->used[(from - begin) / w->page] = true;
        size_t here = w->page - from % w->page;
        from -= from % w->page;
        bytes -= bytes < here ? bytes : here;
    }
}

static void writable_use_place(void *writable, ElfW(Addr) place)
{
    writable_use(writable, place, 2 * sizeof(ElfW(Addr))); /* the longest are descriptors of two words */
}

static void writable_use_changed(struct writable *w)
{
    char *page = malloc(w->page);
    for (size_t i = 0; i < w->n; i++) {
        size_t at = (w->first + i) * w->page;
        if (!w->used[i] && (!page || pread(w->elf->fd, page, w->page, (off_t)at) != (ssize_t)w->page ||
                            memcmp(page, w->elf->bytes + at, w->page) != 0))
            w->used[i] = true;
    }
    free(page);
}

static void writable_use_all(struct writable *w)
{
    const ElfW(Phdr) *s = elf_segments(w->elf);
    size_t n;
    const ElfW(Dyn) *d = elf_dynamic(w->elf, &n);
    for (int i = 0; i < elf_header(w->elf)->e_phnum; i++) {
        if (is_special(&s[i]) || (s[i].p_type == PT_LOAD && &s[i] != w->s))
            writable_use(w, s[i].p_vaddr, s[i].p_memsz);
    }
    for (size_t i = 0; i < n; i++) {
        if (!is_number(d[i].d_tag))
            writable_use(w, d[i].d_un.d_val, 4 * sizeof(ElfW(Addr)));
    }
    each_relocation(w->elf, writable_use_place, w);
    writable_use_changed(w);
}

static bool add_run(struct elf *elf, size_t from, size_t to)
{
    struct elf_run *more = realloc(elf->runs, (elf->nruns + 1) * sizeof *more);
    if (!more)
        return false;
    elf->runs = more;
    elf->runs[elf->nruns++] = (struct elf_run){from, to};
    return true;
}

static void find_runs(struct elf *elf, const ElfW(Phdr) * s, size_t page)
{
    size_t first = (s->p_offset + page - 1) / page, end = (s->p_offset + s->p_filesz) / page, from = 0;
    if (s->p_offset % page != s->p_vaddr % page || end < first + RUN_LEAST || end * page > elf->size)
        return;
    struct writable w = {elf, s, page, first, end - first, calloc(end - first, sizeof(bool))};
    if (!w.used)
        return;
    writable_use_all(&w);
    for (size_t i = 0; i <= w.n; i++) {
        if (i < w.n && !w.used[i])
            continue;
        if (i - from >= RUN_LEAST && !add_run(elf, (first + from) * page, (first + i) * page))
            break;
        from = i + 1;
    }
    free(w.used);
}

void elf_find_unread(struct elf *elf)
{
#ifdef R_INDIRECT
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    int n = elf_header(elf)->e_phnum - 1; /* without the one of elf_extend */
    for (int i = 0; i < n && i < 64; i++) {
        const ElfW(Phdr) *s = elf_segments(elf) + i;
        if (is_unread(elf, s))
            elf->unread |= UINT64_C(1) << i;
        else if (s->p_type == PT_LOAD && (s->p_flags & PF_W) && !(s->p_flags & PF_X))
            find_runs(elf, s, page);
    }
#endif
}
