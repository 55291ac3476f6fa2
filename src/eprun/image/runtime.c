/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A copy of a language's run-time system is the rank's own, and what it does to the process must be the rank's, too. So some of the
 * functions that its file wants of libc get other names, those of eprun's (src/eprun/fortran), which the dynamic linker finds in
 * eprun. The version that comes with a name is one of libc's; a symbol without any, as eprun's are, satisfies it.
 */
#include <string.h>

#include "eprun/image/image.h"

static const struct {
    const char *name, *instead;
} calls[] = {
#define CALL(name) {#name, "ep_fortran_" #name},
#include "eprun/fortran/calls.def"
#undef CALL
};

enum { CALLS = sizeof calls / sizeof *calls };

size_t runtime_text_room(void)
{
    size_t n = 0;
    for (size_t i = 0; i < CALLS; i++)
        n += strlen(calls[i].instead) + 1;
    return n;
}

bool runtime_change(struct elf *elf)
{
    size_t n = 0;
    ElfW(Sym) *symbols = elf_symbols(elf, &n);
    for (size_t i = 1; symbols && i < n; i++) {
        const char *name = elf_symbol_name(elf, &symbols[i]);
        for (size_t k = 0; k < CALLS && symbols[i].st_shndx == SHN_UNDEF; k++) {
            if (strcmp(name, calls[k].name) != 0)
                continue;
            if (!elf_rename(elf, &symbols[i], calls[k].instead))
                return false;
            break;
        }
    }
    return true;
}
