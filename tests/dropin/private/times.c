/* SPDX-License-Identifier: BSD-3-Clause */
/* What localtime and its like return stays as it is while other ranks call them. */
#include <string.h>
#include <time.h>

#include "check.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    time_t t = (time_t)rank * 366 * 86400;
    struct tm *utc = gmtime(&t);
    int year = 1970 + rank;
    meet();
    CHECK(utc->tm_year + 1900 == year);
    struct tm *local = localtime(&t);
    meet();
    CHECK(local->tm_year + 1900 >= year - 1 && local->tm_year + 1900 <= year);
    char expected[32];
    snprintf(expected, sizeof expected, "%d\n", local->tm_year + 1900);
    char *text = asctime(local);
    meet();
    CHECK(strstr(text, expected) != NULL);
    text = ctime(&t);
    meet();
    CHECK(strstr(text, expected) != NULL);
    setenv("TZ", "XYZ-5", 1);
    meet();
    t = 0;
    CHECK(localtime(&t)->tm_hour == 5);
    meet();
    return end();
}
