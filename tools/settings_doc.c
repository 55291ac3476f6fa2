/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints docs/settings.md from the table of settings; given a file's name, tells whether that file is the same. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

static void number(FILE *f, const char *env, long def, long lowest, long highest, const char *meaning)
{
    fprintf(f, "| `%s` | %ld or more", env, lowest);
    if (highest < LONG_MAX)
        fprintf(f, ", at most %ld", highest);
    fprintf(f, " | %ld | %s |\n", def, meaning);
}

static void choice(FILE *f, const char *env, int def, const char *choices, const char *meaning)
{
    const char *chosen = choices;
    for (int i = 0; i < def; i++)
        chosen = strchr(chosen, '|') + 1;
    fprintf(f, "| `%s` | ", env);
    for (const char *c = choices; *c; c++)
        fputs(*c == '|' ? ", " : (char[]){*c, '\0'}, f);
    fprintf(f, " | %.*s | %s |\n", (int)strcspn(chosen, "|"), chosen, meaning);
}

static void print(FILE *f)
{
    fputs("# Settings\n\nEnvironment variables, read once when the library is loaded. A value that is not "
          "one of the "
          "possible ones gives a\nwarning and the default. Made from `src/base/settings.def` by "
          "`tools/settings_doc`.\n\n"
          "| variable | values | default | meaning |\n|---|---|---|---|\n",
          f);
#define NUMBER(field, env, def, lowest, highest, meaning) number(f, env, def, lowest, highest, meaning);
#define CHOICE(field, env, def, choices, meaning) choice(f, env, def, choices, meaning);
#include "base/settings.def"
#undef NUMBER
#undef CHOICE
}

static int same(FILE *a, FILE *b)
{
    int x, y;
    do {
        x = getc(a);
        y = getc(b);
    } while (x == y && x != EOF);
    return x == y;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print(stdout);
        return 0;
    }
    FILE *made = tmpfile(), *kept = fopen(argv[1], "r");
    if (!made || !kept) {
        perror(argv[1]);
        return 1;
    }
    print(made);
    rewind(made);
    if (same(made, kept))
        return 0;
    fprintf(stderr, "%s is not what the table says: write it anew with tools/settings_doc > %s\n", argv[1],
            argv[1]);
    return 1;
}
