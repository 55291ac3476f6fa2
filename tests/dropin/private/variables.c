/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank changes its environment and sees no other's. */
#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>

#include "check.h"

static char mine[32];
static int seen_early; /* by a constructor */

__attribute__((constructor)) static void early(void)
{
    seen_early = getenv("PATH") != NULL && environ != NULL;
}

static int is(const char *name, const char *value)
{
    const char *found = getenv(name);
    return value ? found && strcmp(found, value) == 0 : !found;
}

static void set(void)
{
    static char entry[64];
    snprintf(mine, sizeof mine, "%d", rank);
    CHECK(setenv("PRIVATE_TEST", mine, 1) == 0);
    meet();
    CHECK(is("PRIVATE_TEST", mine));
    CHECK(setenv("PRIVATE_TEST", "other", 0) == 0 && is("PRIVATE_TEST", mine));
    snprintf(entry, sizeof entry, "PRIVATE_PUT=%d", rank);
    CHECK(putenv(entry) == 0);
    meet();
    CHECK(is("PRIVATE_PUT", mine));
    strcpy(strchr(entry, '=') + 1, "x"); /* the string itself is in it */
    CHECK(is("PRIVATE_PUT", "x"));
    CHECK(setenv("a=b", "c", 1) == -1 && unsetenv("") == -1);
}

/* Commands see it. */
static void run(void)
{
    char test[64];
    snprintf(test, sizeof test, "test \"$PRIVATE_TEST\" = %d", rank);
    CHECK(system(test) == 0);
    CHECK(system("exit 3") == 3 << 8);
    CHECK(system(NULL) != 0);
    meet();
    CHECK((system("read line") == 0) == (rank == 0)); /* the job's stdin is rank 0's */
    char line[32] = "";
    FILE *command = popen("echo $PRIVATE_TEST; exit 4", "r");
    meet();
    CHECK(command && fgets(line, sizeof line, command) && atoi(line) == rank);
    CHECK(command && pclose(command) == 4 << 8);
    command = popen("read x && exit $x", "w");
    CHECK(command && fprintf(command, "%d\n", rank) > 0 && pclose(command) == rank << 8);
}

static void unset(void)
{
    char *old = getenv("PATH");
    if (rank % 2)
        unsetenv("PATH");
    meet();
    CHECK(rank % 2 ? !getenv("PATH") : getenv("PATH") == old);
    for (int i = 0; i < 100; i++) {
        char name[32];
        snprintf(name, sizeof name, "PRIVATE_%d", i);
        setenv(name, mine, 1);
    }
    CHECK(is("PRIVATE_0", mine) && is("PRIVATE_99", mine));
    meet();
    if (rank == 0)
        clearenv();
    meet();
    CHECK(is("PRIVATE_99", rank == 0 ? NULL : mine));
    CHECK(setenv("PRIVATE_TEST", "again", 1) == 0 && is("PRIVATE_TEST", "again"));
    CHECK(rank != 0 || (environ[0] && !environ[1]));
}

int main(int argc, char **argv, char **envp)
{
    CHECK(envp == environ);
    begin(&argc, &argv);
    CHECK(seen_early);
    set();
    meet();
    run();
    meet();
    unset();
    return end();
}
