/* SPDX-License-Identifier: BSD-3-Clause */
#include "eprun/elf_file.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A tag of the range for systems that means nothing to any of them. */
#define TAG_TAKEN 0x6000e9e9

static ElfW(Ehdr) * header(const struct elf *elf)
{
    return (ElfW(Ehdr) *)elf->bytes;
}

/* Bytes of the file, NULL where they are not all in it. */
static void *at(const struct elf *elf, size_t offset, size_t size)
{
    return offset <= elf->size && size <= elf->size - offset ? elf->bytes + offset : NULL;
}

static ElfW(Phdr) * segment(const struct elf *elf, int i)
{
    return (ElfW(Phdr) *)(elf->bytes + header(elf)->e_phoff) + i;
}

static ElfW(Phdr) * find_segment(const struct elf *elf, ElfW(Word) type)
{
    for (int i = 0; i < header(elf)->e_phnum; i++) {
        if (segment(elf, i)->p_type == type)
            return segment(elf, i);
    }
    return NULL;
}

/* What the file has for an address of the loaded object. */
static void *loaded(const struct elf *elf, ElfW(Addr) address, size_t size)
{
    for (int i = 0; i < header(elf)->e_phnum; i++) {
        ElfW(Phdr) *s = segment(elf, i);
        if (s->p_type == PT_LOAD && address >= s->p_vaddr && address - s->p_vaddr < s->p_filesz)
            return at(elf, s->p_offset + (address - s->p_vaddr), size);
    }
    return NULL;
}

/* The dynamic section's entries up to the one that ends it; *n is how many the file has room for. */
static ElfW(Dyn) * dynamic(const struct elf *elf, size_t *n)
{
    ElfW(Phdr) *s = find_segment(elf, PT_DYNAMIC);
    ElfW(Dyn) *d = s ? at(elf, s->p_offset, s->p_filesz) : NULL;
    *n = 0;
    while (d && *n < s->p_filesz / sizeof *d && d[*n].d_tag != DT_NULL)
        ++*n;
    return d;
}

static ElfW(Addr) value(const struct elf *elf, ElfW(Sxword) tag)
{
    size_t n;
    const ElfW(Dyn) *d = dynamic(elf, &n);
    for (size_t i = 0; i < n; i++) {
        if (d[i].d_tag == tag)
            return d[i].d_un.d_val;
    }
    return 0;
}

static const char *examine(struct elf *elf)
{
    ElfW(Ehdr) *h = at(elf, 0, sizeof *h);
    if (!h || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0)
        return "it is not an ELF file";
    if (h->e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32))
        return "it is for another kind of machine";
    if (h->e_type != ET_DYN || h->e_phentsize != sizeof(ElfW(Phdr)) ||
        !at(elf, h->e_phoff, h->e_phnum * sizeof(ElfW(Phdr))) || !find_segment(elf, PT_DYNAMIC))
        return "it is not a shared object";
    if (value(elf, DT_FLAGS_1) & DF_1_PIE)
        return "it is an ordinary executable";
    return NULL;
}

const char *elf_open(struct elf *elf, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (fd < 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        if (fd >= 0)
            close(fd);
        return "it cannot be read";
    }
    *elf = (struct elf){.size = (size_t)status.st_size};
    elf->fd = fd;
    elf->bytes = mmap(NULL, elf->size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    if (elf->bytes == MAP_FAILED) {
        close(fd);
        return "it cannot be read";
    }
    const char *wrong = examine(elf);
    if (wrong)
        elf_close(elf);
    return wrong;
}

void elf_close(struct elf *elf)
{
    munmap(elf->bytes, elf->size);
    close(elf->fd);
}

/* A symbol that it defines for others, and the string with its name. */
static const ElfW(Sym) * find_symbol(const struct elf *elf, const char *name, char **text)
{
    const ElfW(Ehdr) *h = header(elf);
    const ElfW(Shdr) *s = at(elf, h->e_shoff, h->e_shnum * sizeof *s);
    char *strings = loaded(elf, value(elf, DT_STRTAB), value(elf, DT_STRSZ));
    size_t size = value(elf, DT_STRSZ);
    for (int i = 0; s && strings && i < h->e_shnum; i++) {
        const ElfW(Sym) *y = s[i].sh_type == SHT_DYNSYM ? at(elf, s[i].sh_offset, s[i].sh_size) : NULL;
        for (size_t k = 0; y && k < s[i].sh_size / sizeof *y; k++) {
            *text = strings + (y[k].st_name < size ? y[k].st_name : 0);
            if (y[k].st_shndx != SHN_UNDEF && strcmp(*text, name) == 0)
                return &y[k];
        }
    }
    return NULL;
}

ElfW(Addr) elf_symbol(const struct elf *elf, const char *name)
{
    char *text;
    const ElfW(Sym) *symbol = find_symbol(elf, name, &text);
    return symbol ? symbol->st_value : 0;
}

char *elf_string(const struct elf *elf, ElfW(Sxword) kind, size_t *position)
{
    size_t n;
    const ElfW(Dyn) *d = dynamic(elf, &n);
    char *strings = loaded(elf, value(elf, DT_STRTAB), value(elf, DT_STRSZ));
    while (strings && *position < n) {
        const ElfW(Dyn) *entry = &d[(*position)++];
        if (entry->d_tag == kind && entry->d_un.d_val < value(elf, DT_STRSZ))
            return strings + entry->d_un.d_val;
    }
    return NULL;
}

void elf_drop(const struct elf *elf, size_t position)
{
    size_t n;
    dynamic(elf, &n)[position - 1].d_tag = TAG_TAKEN;
}

const ElfW(Phdr) * elf_loaded_segment(const struct elf *elf, int i)
{
    for (int k = 0; k < header(elf)->e_phnum; k++) {
        const ElfW(Phdr) *s = segment(elf, k);
        if (s->p_type == PT_LOAD && i-- == 0)
            return s;
    }
    return NULL;
}

/* Relocations for code are rare, and it is then no more as in the file. */
static bool has_text_relocations(const struct elf *elf)
{
    size_t n;
    const ElfW(Dyn) *d = dynamic(elf, &n);
    for (size_t i = 0; i < n; i++) {
        if (d[i].d_tag == DT_TEXTREL || (d[i].d_tag == DT_FLAGS && (d[i].d_un.d_val & DF_TEXTREL)))
            return true;
    }
    return false;
}

bool elf_is_constant(const struct elf *elf, const ElfW(Phdr) * s)
{
    ElfW(Addr) taken = find_segment(elf, PT_DYNAMIC)->p_vaddr, strings = value(elf, DT_STRTAB);
    return !(s->p_flags & PF_W) && s->p_filesz == s->p_memsz && taken - s->p_vaddr >= s->p_memsz &&
           (strings - s->p_vaddr >= s->p_memsz || !elf->strings_changed) && !has_text_relocations(elf);
}

void elf_take_calls(struct elf *elf)
{
    elf->calls = (struct elf_calls){
        .init = value(elf, DT_INIT),
        .init_array = value(elf, DT_INIT_ARRAY),
        .init_count = value(elf, DT_INIT_ARRAYSZ) / sizeof(ElfW(Addr)),
        .fini = value(elf, DT_FINI),
        .fini_array = value(elf, DT_FINI_ARRAY),
        .fini_count = value(elf, DT_FINI_ARRAYSZ) / sizeof(ElfW(Addr)),
    };
    size_t n;
    ElfW(Dyn) *d = dynamic(elf, &n);
    for (size_t i = 0; i < n; i++) {
        switch (d[i].d_tag) {
        case DT_INIT:
        case DT_INIT_ARRAY:
        case DT_INIT_ARRAYSZ:
        case DT_FINI:
        case DT_FINI_ARRAY:
        case DT_FINI_ARRAYSZ:
            d[i].d_tag = TAG_TAKEN;
        }
    }
}

void elf_rename(struct elf *elf, const char *symbol, const char *name)
{
    size_t n;
    if (!elf->soname) {
        ElfW(Dyn) *d = dynamic(elf, &n), *entry = NULL;
        char *text;
        elf->soname = find_symbol(elf, symbol, &text) ? text : NULL;
        for (size_t i = 0; i < n; i++) {
            if (d[i].d_tag == DT_SONAME || (d[i].d_tag == TAG_TAKEN && !entry))
                entry = &d[i];
        }
        if (!elf->soname || !entry)
            return;
        char *strings = loaded(elf, value(elf, DT_STRTAB), value(elf, DT_STRSZ));
        entry->d_tag = DT_SONAME;
        entry->d_un.d_val = (ElfW(Xword))(elf->soname - strings);
    }
    elf->strings_changed = true;
    strcpy(elf->soname, name);
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
    size_t to = (s->p_offset + s->p_filesz + page - 1) / page * page;
    if (from >= elf->size)
        return true;
    return write_at(fd, elf->bytes + from, (to < elf->size ? to : elf->size) - from, from);
}

bool elf_write(const struct elf *elf, int fd, bool whole)
{
    if (whole)
        return write_at(fd, elf->bytes, elf->size, 0);
    ElfW(Ehdr) h = *header(elf); /* without the section headers, which lie in a hole */
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (ftruncate(fd, (off_t)elf->size) != 0 ||
        !write_at(fd, elf->bytes + h.e_phoff, h.e_phnum * sizeof(ElfW(Phdr)), h.e_phoff))
        return false;
    for (int i = 0; i < h.e_phnum; i++) {
        const ElfW(Phdr) *s = segment(elf, i);
        if (s->p_type == PT_LOAD && !write_segment(elf, fd, s, page))
            return false;
    }
    h.e_shoff = 0;
    h.e_shnum = 0;
    h.e_shstrndx = SHN_UNDEF;
    return write_at(fd, (const char *)&h, sizeof h, 0);
}
