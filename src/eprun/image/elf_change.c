/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a copy has that the file has not. All copies of a file get the same changes but for the names of other
 * copies, which lie in a segment of their own behind all others, as does the table of segments with its
 * additional entry: so what is constant in the file is so in its copies, too, and can be one in memory for
 * all of them.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "eprun/image/elf.h"

static size_t elf_change_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

/* The segment that has these bytes of the file is not as the file's any more. */
static void elf_change_changed(struct elf *elf, const void *bytes)
{
    size_t offset = (size_t)((const char *)bytes - elf->bytes);
    const ElfW(Phdr) *s = elf_segments(elf);
    for (int i = 0; i < elf_header(elf)->e_phnum; i++) {
        if (s[i].p_type == PT_LOAD && offset >= s[i].p_offset && offset - s[i].p_offset < s[i].p_filesz)
            elf->changed |= UINT64_C(1) << (i & 63);
    }
}

/* Relocations for code are rare, and it is then no more as in the file. */
static bool has_text_relocations(const struct elf *elf)
{
    size_t n;
    const ElfW(Dyn) *d = elf_dynamic(elf, &n);
    for (size_t i = 0; i < n; i++) {
        if (d[i].d_tag == DT_TEXTREL || (d[i].d_tag == DT_FLAGS && (d[i].d_un.d_val & DF_TEXTREL)))
            return true;
    }
    return false;
}

enum elf_origin elf_origin(const struct elf *elf, const ElfW(Phdr) * s)
{
    size_t i = (size_t)(s - elf_segments(elf));
    if ((s->p_flags & PF_W) || s->p_filesz != s->p_memsz || has_text_relocations(elf) ||
        i + 1 == elf_header(elf)->e_phnum)
        return ELF_OWN;
    return elf->changed & UINT64_C(1) << (i & 63) ? ELF_COPIES : ELF_FILE;
}

static void elf_change_take(struct elf *elf, ElfW(Dyn) * entry)
{
    entry->d_tag = ELF_TAG_TAKEN;
    elf_change_changed(elf, entry);
}

void elf_take_over(struct elf *elf)
{
    elf->calls = (struct elf_calls){
        .init = elf_value(elf, DT_INIT),
        .init_array = elf_value(elf, DT_INIT_ARRAY),
        .init_count = elf_value(elf, DT_INIT_ARRAYSZ) / sizeof(ElfW(Addr)),
        .fini = elf_value(elf, DT_FINI),
        .fini_array = elf_value(elf, DT_FINI_ARRAY),
        .fini_count = elf_value(elf, DT_FINI_ARRAYSZ) / sizeof(ElfW(Addr)),
    };
    size_t n;
    ElfW(Dyn) *d = elf_dynamic(elf, &n);
    for (size_t i = 0; i < n; i++) {
        switch (d[i].d_tag) {
        case DT_INIT:
        case DT_INIT_ARRAY:
        case DT_INIT_ARRAYSZ:
        case DT_FINI:
        case DT_FINI_ARRAY:
        case DT_FINI_ARRAYSZ:
        case DT_SONAME:
            elf_change_take(elf, &d[i]);
        }
    }
}

void elf_drop(struct elf *elf, size_t position)
{
    size_t n;
    elf_change_take(elf, &elf_dynamic(elf, &n)[position - 1]);
}

/* Debuggers take names out of the file by the section that they should be in, which begins where the dynamic linker's begin. So it
 * goes on to the end of the new segment, which lies as far behind it in the file as in memory. It overlaps others then, so it is
 * none that is loaded. */
static void extend_names(struct elf *elf)
{
    const ElfW(Ehdr) *h = elf_header(elf);
    ElfW(Shdr) *s = (ElfW(Shdr) *)(elf->bytes + h->e_shoff);
    ElfW(Addr) names = elf_value(elf, DT_STRTAB);
    if (h->e_shoff > elf->size || h->e_shnum * sizeof *s > elf->size - h->e_shoff)
        return;
    for (int i = 0; i < h->e_shnum; i++) {
        if (s[i].sh_type != SHT_STRTAB || s[i].sh_addr != names || s[i].sh_offset > names)
            continue;
        ElfW(Addr) least = elf->more_offset + (names - s[i].sh_offset);
        if (elf->more_address < least)
            elf->more_address = least;
        elf->more_offset = elf->more_address - (names - s[i].sh_offset);
        s[i].sh_size = elf->more_offset + elf->more_size - s[i].sh_offset;
        s[i].sh_flags &= ~(ElfW(Xword))SHF_ALLOC;
        break;
    }
}

bool elf_extend(struct elf *elf, size_t slots, size_t width, size_t text, bool whole)
{
    /* Not before: valgrind takes what is mapped with PROT_WRITE for a part of a loaded library. */
    if (mprotect(elf->bytes, elf->size, PROT_READ | PROT_WRITE) != 0)
        return false;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), count = elf_header(elf)->e_phnum + (size_t)1;
    const ElfW(Phdr) *old = elf_segments(elf);
    ElfW(Addr) end = 0;
    elf->slots = count * sizeof *old;
    elf->width = width;
    elf->text = elf->slots + slots * width;
    elf->more_size = elf->text + text;
    char *more = calloc(1, elf->more_size);
    if (!more)
        return false;
    ElfW(Phdr) *table = memcpy(more, old, (count - 1) * sizeof *old);
    for (size_t i = 0; i + 1 < count; i++) {
        if (table[i].p_type == PT_LOAD)
            end = table[i].p_vaddr + table[i].p_memsz;
    }
    elf->more_offset = elf_change_up(elf->size, page);
    elf->more_address = elf_change_up(end, page);
    if (whole)
        extend_names(elf);
    ElfW(Phdr) own = {.p_type = PT_LOAD,
                      .p_flags = PF_R,
                      .p_offset = elf->more_offset,
                      .p_vaddr = elf->more_address,
                      .p_paddr = elf->more_address,
                      .p_filesz = elf->more_size,
                      .p_memsz = elf->more_size,
                      .p_align = page};
    table[count - 1] = own;
    for (size_t i = 0; i < count; i++) {
        if (table[i].p_type == PT_PHDR) {
            table[i].p_offset = elf->more_offset;
            table[i].p_vaddr = table[i].p_paddr = elf->more_address;
            table[i].p_filesz = table[i].p_memsz = elf->slots;
        }
    }
    elf_header(elf)->e_phoff = elf->more_offset;
    elf_header(elf)->e_phnum = (ElfW(Half))count;
    elf->more = more;
    return true;
}

char *elf_slot(const struct elf *elf, size_t slot)
{
    return elf->more + elf->slots + slot * elf->width;
}

/* From the beginning of the strings, as the dynamic section and symbols count. */
static ElfW(Addr) string_value(const struct elf *elf, size_t place)
{
    return elf->more_address + place - elf_value(elf, DT_STRTAB);
}

static ElfW(Addr) slot_value(const struct elf *elf, size_t slot)
{
    return string_value(elf, elf->slots + slot * elf->width);
}

/* What says which versions of a library's symbols are needed names the library, too. */
static bool redirect_versions(struct elf *elf, const char *name, ElfW(Addr) value)
{
    const char *strings = elf_loaded(elf, elf_value(elf, DT_STRTAB), elf_value(elf, DT_STRSZ));
    ElfW(Addr) at = elf_value(elf, DT_VERNEED);
    for (size_t n = elf_value(elf, DT_VERNEEDNUM); n > 0; n--) {
        ElfW(Verneed) *v = elf_loaded(elf, at, sizeof *v);
        if (!v)
            return false;
        if (v->vn_file < elf_value(elf, DT_STRSZ) && strcmp(strings + v->vn_file, name) == 0) {
            if (value > UINT32_MAX)
                return false;
            v->vn_file = (ElfW(Word))value;
            elf_change_changed(elf, v);
        }
        at += v->vn_next;
    }
    return true;
}

bool elf_redirect(struct elf *elf, size_t position, size_t slot)
{
    size_t n, at = position - 1;
    ElfW(Dyn) *entry = &elf_dynamic(elf, &n)[position - 1];
    const char *name = elf_string(elf, DT_NEEDED, &at);
    if (!name || !redirect_versions(elf, name, slot_value(elf, slot)))
        return false;
    entry->d_un.d_val = slot_value(elf, slot);
    elf_change_changed(elf, entry);
    return true;
}

bool elf_add_need(struct elf *elf, size_t slot)
{
    size_t n, at = 0;
    ElfW(Dyn) *d = elf_dynamic(elf, &n);
    while (at < n && d[at].d_tag != ELF_TAG_TAKEN)
        at++;
    if (at == n)
        return false;
    d[at].d_tag = DT_NEEDED;
    d[at].d_un.d_val = slot_value(elf, slot);
    elf_change_changed(elf, &d[at]);
    return true;
}

bool elf_rename(struct elf *elf, ElfW(Sym) * symbol, const char *name)
{
    size_t place = elf->text + elf->text_used, size = strlen(name) + 1;
    ElfW(Addr) value = string_value(elf, place);
    if (place + size > elf->more_size || value > UINT32_MAX)
        return false;
    memcpy(elf->more + place, name, size);
    elf->text_used += size;
    symbol->st_name = (ElfW(Word))value;
    elf_change_changed(elf, symbol);
    return true;
}

void elf_make_private(struct elf *elf, void *shared_library)
{
    size_t n = 0;
    ElfW(Sym) *s = elf_symbols(elf, &n);
    for (size_t i = 0; s && i < n; i++) {
        if (ELF64_ST_BIND(s[i].st_info) != STB_GNU_UNIQUE ||
            (shared_library && dlsym(shared_library, elf_symbol_name(elf, &s[i]))))
            continue;
        s[i].st_info = ELF64_ST_INFO(STB_GLOBAL, ELF64_ST_TYPE(s[i].st_info));
        elf_change_changed(elf, &s[i]);
    }
}

static bool write_at(int fd, const char *bytes, size_t size, size_t offset)
{
    while (size > 0) {
        ssize_t n = pwrite(fd, bytes, size, (off_t)offset);
        if (n <= 0)
            return false;
        bytes += n;
        offset += (size_t)n;
        size -= (size_t)n;
    }
    return true;
}

/* Whole pages, as they are mapped: their ends belong to other parts of the file but are seen by the
 * program. */
static bool write_segment(const struct elf *elf, int fd, const ElfW(Phdr) * s, size_t page)
{
    size_t from = s->p_offset / page * page;
    size_t to = elf_change_up(s->p_offset + s->p_filesz, page);
    if (to > elf->size)
        to = elf->size;
    for (size_t i = 0; i < elf->nruns; i++) {
        const struct elf_run *r = &elf->runs[i];
        if (r->from < from || r->to > to)
            continue;
        if (!write_at(fd, elf->bytes + from, r->from - from, from))
            return false;
        from = r->to;
    }
    return from >= to || write_at(fd, elf->bytes + from, to - from, from);
}

bool elf_write(const struct elf *elf, int fd, bool whole)
{
    if (!write_at(fd, elf->more, elf->more_size, elf->more_offset))
        return false;
    if (whole)
        return write_at(fd, elf->bytes, elf->size, 0);
    ElfW(Ehdr) h = *elf_header(elf); /* without the section headers, which lie in a hole */
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i + 1 < h.e_phnum; i++) {
        const ElfW(Phdr) *s = elf_segments(elf) + i;
        bool unread = i < 64 && (elf->unread >> i & 1);
        if (s->p_type == PT_LOAD && !unread && !write_segment(elf, fd, s, page))
            return false;
    }
    h.e_shoff = 0;
    h.e_shnum = 0;
    h.e_shstrndx = SHN_UNDEF;
    return write_at(fd, (const char *)&h, sizeof h, 0);
}
