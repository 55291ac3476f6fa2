/* SPDX-License-Identifier: BSD-3-Clause */
#include "eprun/image/elf.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden"))); /* eprun's own, from the linker */

/* Bytes of the file, NULL where they are not all in it. */
static void *elf_file_at(const struct elf *elf, size_t offset, size_t size)
{
    return offset <= elf->size && size <= elf->size - offset ? elf->bytes + offset : NULL;
}

static ElfW(Phdr) * find_segment(const struct elf *elf, ElfW(Word) type)
{
    for (int i = 0; i < elf_header(elf)->e_phnum; i++) {
        if (elf_segments(elf)[i].p_type == type)
            return &elf_segments(elf)[i];
    }
    return NULL;
}

void *elf_loaded(const struct elf *elf, ElfW(Addr) address, size_t size)
{
    for (int i = 0; i < elf_header(elf)->e_phnum; i++) {
        ElfW(Phdr) *s = &elf_segments(elf)[i];
        if (s->p_type == PT_LOAD && address >= s->p_vaddr && address - s->p_vaddr < s->p_filesz)
            return elf_file_at(elf, s->p_offset + (address - s->p_vaddr), size);
    }
    return NULL;
}

ElfW(Dyn) * elf_dynamic(const struct elf *elf, size_t *n)
{
    ElfW(Phdr) *s = find_segment(elf, PT_DYNAMIC);
    ElfW(Dyn) *d = s ? elf_file_at(elf, s->p_offset, s->p_filesz) : NULL;
    *n = 0;
    while (d && *n < s->p_filesz / sizeof *d && d[*n].d_tag != DT_NULL)
        ++*n;
    return d;
}

ElfW(Addr) elf_value(const struct elf *elf, ElfW(Sxword) tag)
{
    size_t n;
    const ElfW(Dyn) *d = elf_dynamic(elf, &n);
    for (size_t i = 0; i < n; i++) {
        if (d[i].d_tag == tag)
            return d[i].d_un.d_val;
    }
    return 0;
}

static bool is_elf(const struct elf *elf)
{
    return elf_file_at(elf, 0, sizeof(ElfW(Ehdr))) && memcmp(elf_header(elf)->e_ident, ELFMAG, SELFMAG) == 0;
}

static bool has_segments(const struct elf *elf)
{
    const ElfW(Ehdr) *h = elf_header(elf);
    return h->e_phentsize == sizeof(ElfW(Phdr)) &&
           elf_file_at(elf, h->e_phoff, h->e_phnum * sizeof(ElfW(Phdr)));
}

static const char *elf_file_examine(struct elf *elf)
{
    ElfW(Ehdr) *h = elf_header(elf);
    if (!is_elf(elf))
        return "it is not an ELF file";
    if (h->e_ident[EI_CLASS] != __ehdr_start.e_ident[EI_CLASS] || h->e_machine != __ehdr_start.e_machine)
        return "it is for another kind of machine";
    if (h->e_type != ET_DYN || !has_segments(elf) || !find_segment(elf, PT_DYNAMIC))
        return "it is not a shared object";
    if (elf_value(elf, DT_FLAGS_1) & DF_1_PIE)
        return "it is an ordinary executable";
    return NULL;
}

static const char *map_file(struct elf *elf, const char *path)
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
    elf->bytes = mmap(NULL, elf->size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (elf->bytes == MAP_FAILED) {
        close(fd);
        return "it cannot be read";
    }
    return NULL;
}

const char *elf_open(struct elf *elf, const char *path)
{
    const char *wrong = map_file(elf, path);
    if (wrong)
        return wrong;
    wrong = elf_file_examine(elf);
    if (wrong)
        elf_close(elf);
    return wrong;
}

/* One that calls MPI itself is no command: run as it is, it would be one rank where many were asked for. */
static bool calls_mpi(const struct elf *elf)
{
    size_t position = 0;
    for (const char *name; (name = elf_string(elf, DT_NEEDED, &position));)
        if (strncmp(name, "libmpi", 6) == 0 || strncmp(name, "libep.", 6) == 0 ||
            strncmp(name, "libep_shmem.", 12) == 0)
            return true;
    return false;
}

static bool is_command(struct elf *elf)
{
    if (!is_elf(elf))
        return true;
    if (!elf_file_examine(elf) || !has_segments(elf))
        return false;
    bool shared = elf_header(elf)->e_type == ET_DYN && !(elf_value(elf, DT_FLAGS_1) & DF_1_PIE);
    return !shared && !calls_mpi(elf);
}

bool elf_is_command(const char *path)
{
    struct elf elf;
    if (map_file(&elf, path))
        return false;
    bool command = is_command(&elf);
    elf_close(&elf);
    return command;
}

void elf_close(struct elf *elf)
{
    munmap(elf->bytes, elf->size);
    close(elf->fd);
    free(elf->more);
    free(elf->runs);
    elf->more = NULL;
    elf->runs = NULL;
}

ElfW(Sym) * elf_symbols(const struct elf *elf, size_t *n)
{
    const ElfW(Ehdr) *h = elf_header(elf);
    const ElfW(Shdr) *s = elf_file_at(elf, h->e_shoff, h->e_shnum * sizeof *s);
    for (int i = 0; s && i < h->e_shnum; i++) {
        if (s[i].sh_type == SHT_DYNSYM) {
            *n = s[i].sh_size / sizeof(ElfW(Sym));
            return elf_file_at(elf, s[i].sh_offset, s[i].sh_size);
        }
    }
    return NULL;
}

const char *elf_symbol_name(const struct elf *elf, const ElfW(Sym) * symbol)
{
    size_t size = elf_value(elf, DT_STRSZ);
    const char *strings = elf_loaded(elf, elf_value(elf, DT_STRTAB), size);
    return strings && symbol->st_name < size ? strings + symbol->st_name : "";
}

static uint32_t hash_of(const char *name)
{
    uint32_t h = 5381;
    for (; *name; name++)
        h = h * 33 + (unsigned char)*name;
    return h;
}

/* The number of a symbol by DT_GNU_HASH's table; 0: it has none of that name. */
static size_t find_hashed(const struct elf *elf, const uint32_t *table, const char *name)
{
    uint32_t h = hash_of(name), buckets = table[0], first = table[1], words = table[2];
    size_t bits = 8 * sizeof(ElfW(Addr));
    const ElfW(Addr) *bloom = (const ElfW(Addr) *)(table + 4);
    const uint32_t *bucket = (const uint32_t *)(bloom + words), *chain = bucket + buckets;
    ElfW(Addr) word = bloom[h / bits % words];
    if (!(word >> (h % bits) & 1) || !(word >> ((h >> table[3]) % bits) & 1))
        return 0;
    const ElfW(Sym) *symbols = elf_loaded(elf, elf_value(elf, DT_SYMTAB), sizeof *symbols);
    size_t i = bucket[h % buckets];
    for (; i >= first && symbols; i++) {
        if ((chain[i - first] | 1) == (h | 1) && strcmp(elf_symbol_name(elf, &symbols[i]), name) == 0)
            return i;
        if (chain[i - first] & 1)
            break;
    }
    return 0;
}

ElfW(Addr) elf_symbol(const struct elf *elf, const char *name)
{
    size_t n = 0;
    const ElfW(Sym) *symbols = elf_symbols(elf, &n);
    const uint32_t *table = elf_loaded(elf, elf_value(elf, DT_GNU_HASH), 4 * sizeof *table);
    if (table && table[0] > 0 && table[2] > 0) {
        size_t i = find_hashed(elf, table, name);
        return i > 0 && i < n && symbols ? symbols[i].st_value : 0;
    }
    for (size_t i = 0; symbols && i < n; i++) {
        if (symbols[i].st_shndx != SHN_UNDEF && strcmp(elf_symbol_name(elf, &symbols[i]), name) == 0)
            return symbols[i].st_value;
    }
    return 0;
}

char *elf_string(const struct elf *elf, ElfW(Sxword) kind, size_t *position)
{
    size_t n;
    const ElfW(Dyn) *d = elf_dynamic(elf, &n);
    char *strings = elf_loaded(elf, elf_value(elf, DT_STRTAB), elf_value(elf, DT_STRSZ));
    while (strings && *position < n) {
        const ElfW(Dyn) *entry = &d[(*position)++];
        if (entry->d_tag == kind && entry->d_un.d_val < elf_value(elf, DT_STRSZ))
            return strings + entry->d_un.d_val;
    }
    return NULL;
}
