/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * harness.h: Check for programs whose ranks are threads.
 *
 * A test program is a table of tests and a main:
 *
 *     static void ring(team_t *t, void *arg)           // runs in every endpoint of every process
 *     {
 *         int got = -1;
 *         EXPECT_OK(ep_sendrecv(&t->rank, 1, MPI_INT, (t->rank + 1) % t->size, 7, &got, 1, MPI_INT,
 *                               (t->rank + t->size - 1) % t->size, 7, t->comm, EP_STATUS_IGNORE));
 *         EXPECT_EQ(got, (t->rank + t->size - 1) % t->size);
 *     }
 *     static const harness_test tests[] = {{"ring", ring, NULL}};
 *     int main(int argc, char **argv) { return HARNESS_MAIN(argc, argv, "ring", tests); }
 *
 * It is run as `mpirun -n P program`; EP_TEST_T says how many endpoints each process has: "4", or one
 * number per process, "3,0,2" (the list repeats). CK_RUN_CASE=<test name> runs one test alone.
 *
 * ck_assert longjmps, which must not happen inside a parallel region. So bodies use the EXPECT macros:
 * they write a failure down in the endpoint's own slot, and go on. When the region has ended, team_run
 * sums the failures up over all processes, and every process fails or passes the test together.
 * Each EXPECT returns 1 or 0, for `if (!EXPECT_OK(...)) return;`. They work in any thread: in
 * one that is not of a team they write to the process's slot (see team_adopt), which the next
 * team_run, or the end of the test, looks at.
 *
 * A watchdog turns a hang into a failure: EP_TEST_TIMEOUT seconds after the start of a test (default 60;
 * more under sanitizers, valgrind and EP_CHAOS) it says which test hangs, what each endpoint had checked
 * last and where each thread is, and aborts the job.
 *
 * EP_TEST_SEED=<n> repeats a random test; the seed is printed. EP_TEST_LEVEL=funneled|serialized|multiple
 * is the thread level that MPI is initialised with (default multiple).
 */
#ifndef EP_HARNESS_H
#define EP_HARNESS_H

#include <ep.h>
#include <stddef.h>
#include <stdint.h>

/* One endpoint of a team, as its thread sees it. */
typedef struct team {
    ep_comm comm;      /* EP_ERRORS_RETURN is set; freed by team_run unless the body has freed it */
    int rank, size;    /* in comm */
    int index, local;  /* local index and number of endpoints in this process */
    int process;       /* rank of this process in MPI_COMM_WORLD */
    int processes;     /* size of MPI_COMM_WORLD */
    const int *counts; /* endpoints of each process */
    uint64_t random;   /* state for random_next: differs per endpoint, repeats with the seed */
    struct slot *slot; /* failures, private to the harness */
} team_t;

typedef void team_body(team_t *t, void *arg);

typedef struct {
    const char *name;    /* name of its Check test case */
    team_body *body;     /* run by every endpoint in a fresh team, or */
    void (*alone)(void); /* run once per process by its main thread; may call team_run */
} harness_test;

/* Run the tests under Check in this process and return main's exit status. Initialises and
 * finalises MPI. Only process 0 prints. */
int harness_main(int argc, char **argv, const char *suite, const harness_test tests[], int count);
/* For main before MPI_Init, where harness_main is not it: the leak checker knows MPI's leaks by the libraries that made them, so
 * MPI's plug-ins stay loaded. */
void harness_keep_plugins(void);
#define HARNESS_MAIN(argc, argv, suite, tests)                                                               \
    harness_main(argc, argv, suite, tests, (int)(sizeof(tests) / sizeof((tests)[0])))

/* Create endpoints on MPI_COMM_WORLD as EP_TEST_T says, run body(t, arg) in an OpenMP parallel region
 * with one thread per endpoint (thread 0, the main thread, is endpoint 0), free them, and fail the
 * test in all processes if an EXPECT failed anywhere. Collective, called by the main threads outside of any
 * parallel region. A process without endpoints takes part but runs no body. */
void team_run(team_body *body, void *arg);

/* The same on endpoints that the caller made: comms[] is the result of a creation with n endpoints in
 * this process, collective over MPI_COMM_WORLD. They are freed, except with keep. */
void team_run_on(ep_comm comms[], int n, int keep, team_body *body, void *arg);

/* Number of endpoints that EP_TEST_T gives to this process. */
int team_local_count(void);

/* Wait in a body until all endpoints of the team have come here. It sends no message through ep but lets
 * ep make progress. Every endpoint of the team must call it equally often. */
void team_barrier(team_t *t);

/* A request of nobody that is pending until ep_grequest_complete. */
ep_request pending_request(void);

/* 1 if rank lives in the same process as t, and the world rank of the process it lives in. */
int team_near(const team_t *t, int rank);
int team_process_of(const team_t *t, int rank);

/* Let a thread that a body has started (pthread_create) record its failures in t's slot. */
void team_adopt(team_t *t);

/* Fail the test in all processes if something was recorded outside of a team. Collective, main
 * threads; harness_main calls it after each test. */
void team_verdict(void);

/* ---- Expectations -------------------------------------------------------------------------- */

int expect_true(int cond, const char *text, const char *file, int line);
int expect_eq(long long got, long long want, const char *text, const char *file, int line);
int expect_rc(int got, int want, const char *text, const char *file, int line);
int expect_str(const char *got, const char *want, const char *text, const char *file, int line);
int expect_contains(const char *got, const char *part, const char *text, const char *file, int line);
/* Each byte of buf is the one fill(buf, n, key) writes. */
int expect_filled(const void *buf, size_t n, unsigned key, const char *text, const char *file, int line);

#define EXPECT(cond) expect_true(!!(cond), #cond, __FILE__, __LINE__)
#define EXPECT_EQ(got, want)                                                                                 \
    expect_eq((long long)(got), (long long)(want), #got " == " #want, __FILE__, __LINE__)
/* A call returns an error class; a wrong one is shown with the text ep gives for it. */
#define EXPECT_RC(call, want) expect_rc(call, want, #call, __FILE__, __LINE__)
#define EXPECT_OK(call) expect_rc(call, MPI_SUCCESS, #call, __FILE__, __LINE__)
#define EXPECT_STR(got, want) expect_str(got, want, #got, __FILE__, __LINE__)
#define EXPECT_CONTAINS(got, part) expect_contains(got, part, #got, __FILE__, __LINE__)
#define EXPECT_FILLED(buf, n, key) expect_filled(buf, n, key, #buf, __FILE__, __LINE__)

/* ---- Data ---------------------------------------------------------------------------------- */

/* Write n bytes that depend on key and position; keys that differ give bytes that differ. */
void fill(void *buf, size_t n, unsigned key);

/* A good random number (splitmix64); and one in 0..n-1. The seed of this run is the same in all processes. */
uint64_t random_next(uint64_t *state);
int random_below(uint64_t *state, int n);
uint64_t harness_seed(void);

/* How much longer things take here: 1, or more under a sanitizer, valgrind or EP_CHAOS. Heavy tests
 * divide their counts by it. */
int harness_slowness(void);

/* MiB of memory that the machine could still give. */
long harness_available_mib(void);

/* malloc that ends the program where there is no memory. */
void *xmalloc(size_t n);

#endif
