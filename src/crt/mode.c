/* SPDX-License-Identifier: BSD-3-Clause */
/* Who a blocking call blocks: OMP_EXTERNAL, omp_set_external. */
#include "crt/mode.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "crt/gomp/real.h"

#define BLANKS " \t\n\v\f\r"

static const struct {
    const char *name;
    omp_external_t level;
} names[] = {{"master", omp_external_master}, {"thread", omp_external_thread}, {"task", omp_external_task}};

_Atomic int mode_level = omp_external_thread; /* relaxed */
static _Atomic bool fixed;                    /* relaxed */
static bool (*_Atomic is_too_late)(void);     /* NULL: nobody says */

/* What keeps tasks from blocking alone in this program, or NULL. */
static const char *mode_obstacle(void)
{
    if (dlsym(RTLD_DEFAULT, "__kmpc_fork_call") && !dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD))
        return "the program uses clang's OpenMP library, and it takes GCC's";
    if (!real_ours_first())
        return "libgomp comes before libep or libcrt: link with -lep (-lcrt) before -lgomp, or set "
               "LD_PRELOAD to it";
    return NULL;
}

static bool mode_supported(omp_external_t wanted)
{
    if (wanted != omp_external_task)
        return true;
    const char *why = mode_obstacle();
    if (why)
        log_warning("tasks will not block alone (OMP_EXTERNAL=task): %s", why);
    return !why;
}

/* A level that is unknown or not supported has no effect. */
static void set_level(omp_external_t wanted)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].level == wanted && mode_supported(wanted))
            store_relaxed(&mode_level, (int)wanted);
}

/* Is text this word, as libgomp reads its variables: in any case, with blanks around it? */
static bool mode_is_word(const char *text, const char *word)
{
    size_t n = strlen(word);
    text += strspn(text, BLANKS);
    return strncasecmp(text, word, n) == 0 && text[n + strspn(text + n, BLANKS)] == '\0';
}

__attribute__((constructor)) static void mode_start(void)
{
    const char *text = settings_environment("OMP_EXTERNAL");
    if (!text)
        return;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (mode_is_word(text, names[i].name)) {
            set_level(names[i].level);
            return;
        }
    }
    log_warning("OMP_EXTERNAL=%s is not one of master|thread|task; using thread", text);
}

void mode_too_late_if(bool (*fn)(void))
{
    store_release(&is_too_late, fn);
}

void omp_set_external(omp_external_t wanted)
{
    bool (*too_late)(void) = load_acquire(&is_too_late);
    if (!load_relaxed(&fixed) && !(too_late && too_late()))
        set_level(wanted);
}

omp_external_t omp_get_external(void)
{
    return (omp_external_t)load_relaxed(&mode_level);
}

void mode_fix(bool tasks)
{
    if (!tasks && mode_is_task()) {
        log_warning(
            "tasks will not block alone (OMP_EXTERNAL=task): MPI was initialised with MPI_THREAD_FUNNELED "
            "or less, where only the main thread may wait for messages");
        store_relaxed(&mode_level, omp_external_thread);
    }
    store_relaxed(&fixed, true);
}
