/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 reads what the job is given, the others nothing. */
#include <string.h>

#include "check.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int number = -1;
    char word[32] = "", line[32] = "";
    for (int turn = size; turn-- > 0; meet()) {
        if (turn != rank)
            continue;
        int n = scanf("%d %31s", &number, word);
        CHECK(n == (rank == 0 ? 2 : EOF));
        CHECK(rank == 0 ? number == 17 && strcmp(word, "apples") == 0 : number == -1);
        CHECK(getchar() == (rank == 0 ? '\n' : EOF));
        CHECK((fgets(line, sizeof line, stdin) != NULL) == (rank == 0));
        CHECK(strcmp(line, rank == 0 ? "second line\n" : "") == 0);
        CHECK(getc(stdin) == EOF && feof(stdin));
    }
    return end();
}
