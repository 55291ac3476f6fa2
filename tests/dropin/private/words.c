/* SPDX-License-Identifier: BSD-3-Clause */
/* strtok and hsearch in all ranks at the same time, a step each. */
#include <search.h>
#include <string.h>

#include "check.h"

static void tokens(void)
{
    char text[256] = "";
    for (int i = 0; i < 20; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d,", rank * 100 + i);
    int i = 0;
    for (char *word = strtok(text, ","); word; word = strtok(NULL, ",")) {
        CHECK(atoi(word) == rank * 100 + i);
        i++;
        meet();
    }
    CHECK(i == 20);
}

static void table(void)
{
    char key[32];
    snprintf(key, sizeof key, "rank %d", rank);
    CHECK(hcreate(10));
    meet();
    CHECK(hsearch((ENTRY){.key = key, .data = key}, ENTER) != NULL);
    meet();
    CHECK(hsearch((ENTRY){.key = key}, FIND) != NULL);
    CHECK(hsearch((ENTRY){.key = rank == 0 ? "rank 1" : "rank 0"}, FIND) == NULL);
    hdestroy();
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    tokens();
    meet();
    table();
    return end();
}
