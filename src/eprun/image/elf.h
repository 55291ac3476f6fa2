/* SPDX-License-Identifier: BSD-3-Clause */
/* An ELF file in memory, as private changeable bytes: what eprun must know and change of a shared object. */
#ifndef EP_EPRUN_IMAGE_ELF_H
#define EP_EPRUN_IMAGE_ELF_H

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Functions that the dynamic linker calls after it has loaded an object and before it unloads it; addresses
 * in the object, 0: none. */
struct elf_calls {
    ElfW(Addr) init, init_array, fini, fini_array;
    size_t init_count, fini_count;
};

struct elf {
    char *bytes;
    size_t size;
    struct elf_calls calls; /* after elf_take_over */
    uint64_t changed;       /* a bit for each segment whose bytes are not the file's */
    /* after elf_find_unread: a bit for each segment, and in ascending order runs of pages of writable ones, by offsets */
    uint64_t unread;
    struct elf_run {
        size_t from, to;
    } *runs;
    size_t nruns;
    int fd;                 /* the file, open for reading */
    /* elf_extend: a segment behind all others, with the table of segments, then slots, then text, of which so much is used */
    char *more;
    size_t more_size, more_offset, slots, width, text, text_used;
    ElfW(Addr) more_address;
};

/* NULL, or the reason why the file cannot be an image. */
const char *elf_open(struct elf *elf, const char *path);
void elf_close(struct elf *elf);

/* Is the file something to execute that is neither a shared object nor a program that calls MPI? A script,
 * too. */
bool elf_is_command(const char *path);

/* Bytes at an address of the loaded object, NULL where the file does not have them all. */
void *elf_loaded(const struct elf *elf, ElfW(Addr) address, size_t size);

/* The dynamic section's entries, *n up to the one that ends it; the value of the first one of a kind, 0:
 * none. */
ElfW(Dyn) * elf_dynamic(const struct elf *elf, size_t *n);
ElfW(Addr) elf_value(const struct elf *elf, ElfW(Sxword) tag);

/* The symbols that it defines for others or wants of them; NULL: none are found. */
ElfW(Sym) * elf_symbols(const struct elf *elf, size_t *n);
const char *elf_symbol_name(const struct elf *elf, const ElfW(Sym) * symbol);

/* The address of something that it defines for others; 0: it does not. */
ElfW(Addr) elf_symbol(const struct elf *elf, const char *name);

/* The strings of all entries of one kind in the dynamic section (DT_NEEDED, DT_SONAME, DT_RPATH,
 * DT_RUNPATH), one after the other: the next one after *position (0 at first); NULL: no more. */
char *elf_string(const struct elf *elf, ElfW(Sxword) kind, size_t *position);

static inline ElfW(Ehdr) * elf_header(const struct elf *elf)
{
    return (ElfW(Ehdr) *)elf->bytes;
}

/* As many as the header says. */
static inline ElfW(Phdr) * elf_segments(const struct elf *elf)
{
    return (ElfW(Phdr) *)(elf->more ? elf->more : elf->bytes + elf_header(elf)->e_phoff);
}

/* ---- elf_change.c: what a copy of the file has in another way, all copies the same */

/* Before all else: room for so many strings of that many bytes, and for names of symbols. whole: copies will be, so that debuggers are
 * to find these names. False: no memory. */
bool elf_extend(struct elf *elf, size_t slots, size_t width, size_t text, bool whole);

/* The tag of what was taken out, of the range for systems; it means nothing to any of them. */
#define ELF_TAG_TAKEN 0x6000e9e9

/* Take calls and its name out of the dynamic section: they are the caller's from now on. */
void elf_take_over(struct elf *elf);

/* The entry before that position is no more. */
void elf_drop(struct elf *elf, size_t position);

/* The string, which may be another one for each copy. */
char *elf_slot(const struct elf *elf, size_t slot);
/* The DT_NEEDED before that position names what the slot says. False: it cannot. */
bool elf_redirect(struct elf *elf, size_t position, size_t slot);
/* One more DT_NEEDED. After elf_take_over; false: no room for it. */
bool elf_add_need(struct elf *elf, size_t slot);

/* A symbol that it wants of others is one of that name instead. False: no room. */
bool elf_rename(struct elf *elf, ElfW(Sym) * symbol, const char *name);

/* The dynamic linker makes one of all variables of a name with the binding STB_GNU_UNIQUE, also of different
 * copies: let them have an ordinary one, but for those of a loaded library (dlopen's handle, or NULL). */
void elf_make_private(struct elf *elf, void *shared_library);

/* Whose memory can a copy's segment be? That of the file, of any other copy, of none. */
enum elf_origin { ELF_FILE, ELF_COPIES, ELF_OWN };
enum elf_origin elf_origin(const struct elf *elf, const ElfW(Phdr) * segment);

/* elf_unread.c: after all changes, find what the dynamic linker needs no bytes of while it loads a copy. */
void elf_find_unread(struct elf *elf);
/* Does no code run when it is relocated? Only if so for all that are loaded together elf_find_unread may be called. */
bool elf_is_direct(const struct elf *elf);

/* Write it to a new file: whole, or only what is loaded, with holes for the rest and for what is unread. After elf_extend. */
bool elf_write(const struct elf *elf, int fd, bool whole);

#endif
