/* SPDX-License-Identifier: BSD-3-Clause */
/* The function that one exported by eprun stands in front of. */
#ifndef EP_EPRUN_NEXT_H
#define EP_EPRUN_NEXT_H

/* Libc's (or another library's) function of this name. ISO C has no cast for this. */
#define NEXT(name)                                                                                           \
    __extension__({                                                                                          \
        static void *next_;                                                                                  \
        (__typeof__(name) *)next_function(&next_, #name);                                                    \
    })

/* *cache (NULL at first) keeps it for the next time. The process ends if there is none. */
void *next_function(void **cache, const char *name);

/* The dynamic linker's dlopen, where eprun's would look for copies. */
void *next_dlopen(const char *file, int flags);

#endif
