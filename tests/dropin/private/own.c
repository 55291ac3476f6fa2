/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that has functions of its own under these names keeps them, beside those that it takes from libc. */
#include <string.h>

#include "check.h"

int optind = 42;

int getopt(int argc, char *const argv[], const char *letters)
{
    return argc + (argv != NULL) + (letters != NULL) + optind++;
}

char *strtok(char *text, const char *separators)
{
    return text + (separators[0] == 0);
}

int rand(void)
{
    return 4;
}

char *getenv(const char *name)
{
    return (char *)name;
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    CHECK(optind == 42);
    meet();
    CHECK(getopt(0, argv, "") == 44 && optind == 43);
    char text[] = "a b";
    CHECK(strtok(text, " ") == text);
    CHECK(rand() == 4);
    srand(3);
    CHECK(rand() == 4 && random() != 4);
    CHECK(strcmp(getenv("nothing"), "nothing") == 0);
    CHECK(setenv("nothing", "x", 1) == 0);
    return end();
}
