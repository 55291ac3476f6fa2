/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank reads another command line, one option at a time; then its own, which is the same for all. */
#include <getopt.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static void letters(void)
{
    char number[16], text[16];
    snprintf(number, sizeof number, "%d", rank);
    snprintf(text, sizeof text, "-v%d", rank);
    char *argv[] = {"program", "operand", "-a", "-n", number, text, "last", NULL};
    optind = 1;
    CHECK(getopt(7, argv, "an:v:") == 'a' && optind == 3);
    meet();
    CHECK(getopt(7, argv, "an:v:") == 'n' && atoi(optarg) == rank);
    meet();
    CHECK(getopt(7, argv, "an:v:") == 'v' && strcmp(optarg, text + 2) == 0);
    meet();
    CHECK(getopt(7, argv, "an:v:") == -1 && optind == 5);
    CHECK(strcmp(argv[5], "operand") == 0 && strcmp(argv[6], "last") == 0);
}

/* rank times -x, then --end=rank. */
static void names(void)
{
    static const struct option known[] = {{"end", required_argument, NULL, 'e'}, {0}};
    char *argv[size + 3], text[32];
    int argc = 1, found = 0, option;
    argv[0] = "program";
    while (argc <= rank)
        argv[argc++] = "-x";
    snprintf(text, sizeof text, "--end=%d", rank);
    argv[argc++] = text;
    argv[argc] = NULL;
    optind = 0;
    while ((option = getopt_long(argc, argv, "x", known, NULL)) == 'x') {
        found++;
        usleep(100);
    }
    CHECK(option == 'e' && atoi(optarg) == rank && found == rank);
    CHECK(getopt_long(argc, argv, "x", known, NULL) == -1 && optind == argc);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int option, count = 0;
    CHECK(optind == 1 && opterr == 1);
    meet();
    while ((option = getopt(argc, argv, "a:b")) != -1) {
        count++;
        CHECK(option == 'b' || (option == 'a' && strcmp(optarg, "word") == 0));
        meet();
    }
    CHECK(count == 3 && optind == 5 && argc == 6 && strcmp(argv[5], "file") == 0);
    meet();
    letters();
    meet();
    names();
    return end();
}
