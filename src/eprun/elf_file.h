/* SPDX-License-Identifier: BSD-3-Clause */
/* An ELF file in memory, as private changeable bytes: what eprun must know and change of a shared object. */
#ifndef EP_EPRUN_ELF_FILE_H
#define EP_EPRUN_ELF_FILE_H

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>

/* Functions that the dynamic linker calls after it has loaded an object and before it unloads it; addresses
 * in the object, 0: none. */
struct elf_calls {
    ElfW(Addr) init, init_array, fini, fini_array;
    size_t init_count, fini_count;
};

struct elf {
    char *bytes;
    size_t size;
    struct elf_calls calls;
    char *soname;         /* after elf_rename */
    bool strings_changed; /* by those who have them from elf_string */
    int fd;               /* the file, open for reading */
};

/* NULL, or the reason why the file cannot be an image. */
const char *elf_open(struct elf *elf, const char *path);
void elf_close(struct elf *elf);

/* The address of something that it defines for others; 0: it does not. */
ElfW(Addr) elf_symbol(const struct elf *elf, const char *name);

/* The strings of all entries of one kind in the dynamic section (DT_NEEDED, DT_SONAME, DT_RPATH,
 * DT_RUNPATH), one after the other: the next one after *position (0 at first); NULL: no more. They may be
 * changed in place. */
char *elf_string(const struct elf *elf, ElfW(Sxword) kind, size_t *position);

/* The entry before that position is no more. */
void elf_drop(const struct elf *elf, size_t position);

/* The i-th segment that is loaded; NULL: no more. Does the file have what a running program sees there,
 * unchanged? */
const ElfW(Phdr) * elf_loaded_segment(const struct elf *elf, int i);
bool elf_is_constant(const struct elf *elf, const ElfW(Phdr) * segment);

/* Take calls out of the dynamic section: they are the caller's from now on. */
void elf_take_calls(struct elf *elf);

/* Make name its SONAME. It takes the place of the string with a symbol's name, which must not be shorter
 * and is lost; without that symbol nothing happens. After elf_take_calls. */
void elf_rename(struct elf *elf, const char *symbol, const char *name);

/* Write it to a new file: whole, or only what is loaded, with holes for the rest. */
bool elf_write(const struct elf *elf, int fd, bool whole);

#endif
