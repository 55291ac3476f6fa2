/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what functions with a memory do: to be linked with libc's and with ours. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void numbers(const char *what)
{
    printf("%s:", what);
    for (int i = 0; i < 40; i++)
        printf(" %ld", i % 3 ? random() : (long)rand());
    printf("\n");
}

static void random_states(void)
{
    char state[300];
    numbers("unseeded");
    srand(0);
    numbers("srand(0)");
    srandom(12345);
    numbers("srandom(12345)");
    for (size_t n = 8; n <= sizeof state; n += 17) {
        char *old = initstate((unsigned)n, state, n);
        numbers("initstate");
        printf("%d\n", setstate(old) == state);
        numbers("setstate");
    }
    errno = 0;
    printf("%d", initstate(1, state, 4) == NULL);
    printf(" %d\n", errno == EINVAL);
}

static void sequence48(const char *what, unsigned short x[3])
{
    printf("%s:", what);
    for (int i = 0; i < 5; i++) {
        printf(" %.17g %ld %ld", drand48(), lrand48(), mrand48());
        printf(" %.17g %ld %ld", erand48(x), nrand48(x), jrand48(x));
    }
    printf("\n");
}

static void random48(void)
{
    unsigned short x[3] = {1, 2, 3}, parameters[7] = {9, 8, 7, 6, 5, 4, 3};
    sequence48("unseeded", x);
    srand48(-77);
    sequence48("srand48", x);
    unsigned short *old = seed48(x);
    printf("%hu %hu %hu\n", old[0], old[1], old[2]);
    sequence48("seed48", x);
    lcong48(parameters);
    sequence48("lcong48", x);
}

static void show(const char *name)
{
    printf(" %s=%s", name, getenv(name) ? getenv(name) : "(none)");
}

static void variables(void)
{
    static char entry[] = "put=1", other[] = "set";
    int rc[] = {setenv("set", "1", 0), setenv("set", "2", 0), setenv("set", "3", 1), putenv(entry),
                setenv("", "x", 1),    setenv("a=b", "x", 1), unsetenv("none"),      setenv("empty", "", 1)};
    for (size_t i = 0; i < sizeof rc / sizeof *rc; i++)
        printf("%d ", rc[i]);
    show("set"), show("put"), show("empty"), show("none"), show("se");
    putenv(other);
    show("set");
    char *list[] = {"only=1", "two=2", NULL};
    environ = list;
    show("only"), show("put");
    setenv("three", "3", 1);
    unsetenv("only");
    show("only"), show("two"), show("three");
    printf(" %d %d", list[0] != NULL, environ != list);
    clearenv();
    show("two");
    printf(" %d\n", environ == NULL);
    setenv("set", "4", 1);
    show("set");
    printf(" %d\n", system("echo $set $HOME; exit 5"));
}

static void times(void)
{
    time_t t = 1000000000;
    const char *const zones[] = {"UTC", "XYZ-5:30", "EST5EDT"};
    for (int i = 0; i < 3; i++) {
        setenv("TZ", zones[i], 1);
        printf("%s %s", zones[i], ctime(&t));
        printf("%s%d %d\n", asctime(localtime(&t)), localtime(&t)->tm_hour, localtime(&t) == gmtime(&t));
    }
}

static void words(void)
{
    char text[] = "  a,b ,, c";
    for (char *word = strtok(text, " ,"); word; word = strtok(NULL, ","))
        printf("<%s>", word);
    printf("\n");
}

static void input(void)
{
    int number, n = scanf("%d", &number);
    printf("%d %d %d", n, number, getchar());
    char *line = NULL;
    size_t size = 0;
    printf(" %zd", getline(&line, &size, stdin));
    printf(" %s%d\n", line, getchar());
    free(line);
}

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    random_states();
    random48();
    variables();
    times();
    words();
    input();
    return 0;
}
