/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what getopt and its like do with many command lines: to be linked with libc's and with ours. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int __posix_getopt(int argc, char *const argv[], const char *letters);

static const char *const words[] = {
    "-a",     "-b",       "-c",          "-ab",    "-cvalue", "-abc",     "-d",     "-dvalue", "-x",
    "--",     "-",        "file",        "other",  "-W",      "-Wall",    "--all",  "--al",    "--a",
    "--add",  "--add=",   "--add=3",     "--file", "--fi=x",  "--file=y", "--non",  "--opt=",  "--opt",
    "--op",   "--all=",   "-all",        "-add",   "-file=z", "-fi",      "-opt=1", "-o",      "-f",
    "--same", "--s",      "--ambiguous", "--am",   "-A:",     "-:",       "-;",     "",        "--=x",
    "-=",     "-Wfile=w", "-Wadd",       "-W;"};
enum { WORDS = sizeof words / sizeof *words };

static const char *const letters[] = {"abc:d::",   "+abc:d::",  "-abc:d::",  ":abc:d::",
                                      "+:abc:d::", "-:abc:d::", "abc:d::W;", "",
                                      "a:f:o",     "-W;a",      ":W;ad:"};
enum { LETTERS = sizeof letters / sizeof *letters };

static int flag;
static const struct option names[] = {
    {"all", no_argument, NULL, 'a'},        {"add", optional_argument, NULL, 'd'},
    {"file", required_argument, NULL, 256}, {"option", optional_argument, &flag, 257},
    {"same", no_argument, NULL, 's'},       {"same-too", no_argument, NULL, 's'},
    {"ambient", no_argument, NULL, 'm'},    {"ambiguity", required_argument, NULL, 'n'},
    {"f", no_argument, &flag, 'f'},         {0}};

static int call(int how, int argc, char **argv, const char *known, int *index)
{
    switch (how) {
    case 0:
        return getopt(argc, argv, known);
    case 1:
        return __posix_getopt(argc, argv, known);
    case 2:
        return getopt_long(argc, argv, known, names, index);
    default:
        return getopt_long_only(argc, argv, known, names, index);
    }
}

static void run(int how, int argc, char **argv, const char *known)
{
    int option = 0, index = -1;
    optind = 0;
    printf("%d \"%s\"", how, known);
    for (int i = 1; i < argc; i++)
        printf(" %s", argv[i]);
    printf("\n");
    for (int i = 0; i < 2 * argc && option != -1; i++) {
        flag = 0;
        option = call(how, argc, argv, known, &index);
        printf("  %d %s at %d, optopt %d, index %d, flag %d\n", option, optarg ? optarg : "-", optind, optopt,
               index, flag);
        fflush(stdout);
    }
    for (int i = 1; i < argc; i++)
        printf(" %s", argv[i]);
    printf("\n");
    fflush(stdout);
}

int main(void)
{
    struct random_data data = {0};
    char state[64];
    setvbuf(stderr, NULL, _IONBF, 0);
    initstate_r(1, state, sizeof state, &data);
    for (int i = 0; i < 3000; i++) {
        char *argv[8] = {"program"};
        int numbers[8];
        for (int j = 0; j < 8; j++)
            random_r(&data, &numbers[j]);
        int argc = 1 + numbers[7] % 7;
        for (int j = 1; j < argc; j++)
            argv[j] = (char *)words[numbers[j] % WORDS];
        argv[argc] = NULL;
        opterr = i % 10 != 0;
        if (i == 2500)
            setenv("POSIXLY_CORRECT", "1", 1);
        run(numbers[0] % 4, argc, argv, letters[i % LETTERS]);
    }
    return 0;
}
