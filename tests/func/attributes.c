/* SPDX-License-Identifier: BSD-3-Clause */
/* attributes.c: keys, attributes and their callbacks (MPI 6.7). */
#include "pairs.h"
#include <pthread.h>
#include <stdatomic.h>

/* What the callbacks of one endpoint's keys were called with, and what they shall do. */
enum { MAX_EVENTS = 64 };

struct event {
    char what; /* 'c'opy or 'd'elete */
    ep_comm comm;
    int keyval;
    void *value;
};

struct log {
    struct event events[MAX_EVENTS];
    int n;
    int fail_copy, fail_delete; /* keys for which to return fail_code */
    int fail_code;
    int omit; /* key whose attributes are not copied */
};

static void *value_of(int i)
{
    static char values[64];
    return &values[i];
}

static void write_down(struct log *log, char what, ep_comm comm, int keyval, void *value)
{
    if (log->n < MAX_EVENTS)
        log->events[log->n] = (struct event){what, comm, keyval, value};
    log->n++;
}

/* The copy is another value than the original. */
static int copy_next(ep_comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    struct log *log = extra;
    write_down(log, 'c', comm, keyval, in);
    if (log->fail_copy == keyval)
        return log->fail_code;
    *(void **)out = (char *)in + 1;
    *flag = log->omit != keyval;
    return MPI_SUCCESS;
}

static int delete_logged(ep_comm comm, int keyval, void *value, void *extra)
{
    struct log *log = extra;
    write_down(log, 'd', comm, keyval, value);
    return log->fail_delete == keyval ? log->fail_code : MPI_SUCCESS;
}

/* Event i was this, and there is one more. */
static void expect_event(const struct log *log, int i, char what, ep_comm comm, int keyval, void *value)
{
    if (!EXPECT(i < log->n))
        return;
    EXPECT_EQ(log->events[i].what, what);
    EXPECT(log->events[i].comm == comm);
    EXPECT_EQ(log->events[i].keyval, keyval);
    EXPECT(log->events[i].value == value);
}

static int no_key(void)
{
    return MPI_KEYVAL_INVALID;
}

static struct log new_log(void)
{
    return (struct log){.fail_copy = no_key(), .fail_delete = no_key(), .omit = no_key()};
}

static void make_keys(struct log *log, int n, int keys[])
{
    for (int i = 0; i < n; i++)
        EXPECT_OK(ep_comm_create_keyval(copy_next, delete_logged, &keys[i], log));
}

static void free_keys(int n, int keys[])
{
    for (int i = 0; i < n; i++) {
        EXPECT_OK(ep_comm_free_keyval(&keys[i]));
        EXPECT_EQ(keys[i], MPI_KEYVAL_INVALID);
    }
}

/* The attribute is value, or is not there (NULL). */
static void expect_value(ep_comm comm, int keyval, void *value)
{
    void *got = NULL;
    int flag = -1;
    EXPECT_OK(ep_comm_get_attr(comm, keyval, &got, &flag));
    EXPECT_EQ(flag, value != NULL);
    if (flag)
        EXPECT(got == value);
}

static void set_and_get(team_t *t, void *arg)
{
    struct log log = new_log();
    int key[2];
    (void)arg;
    make_keys(&log, 2, key);
    EXPECT(key[0] != key[1]);
    expect_value(t->comm, key[0], NULL);
    EXPECT_OK(ep_comm_set_attr(t->comm, key[0], value_of(1)));
    expect_value(t->comm, key[0], value_of(1));
    expect_value(t->comm, key[1], NULL);
    EXPECT_OK(ep_comm_set_attr(t->comm, key[1], value_of(2)));
    EXPECT_EQ(log.n, 0);
    EXPECT_OK(ep_comm_set_attr(t->comm, key[0], value_of(3))); /* deletes the old one first */
    EXPECT_EQ(log.n, 1);
    expect_event(&log, 0, 'd', t->comm, key[0], value_of(1));
    expect_value(t->comm, key[0], value_of(3));
    EXPECT_OK(ep_comm_delete_attr(t->comm, key[0]));
    EXPECT_EQ(log.n, 2);
    expect_event(&log, 1, 'd', t->comm, key[0], value_of(3));
    expect_value(t->comm, key[0], NULL);
    expect_value(t->comm, key[1], value_of(2));
    EXPECT_OK(ep_comm_delete_attr(t->comm, key[1]));
    EXPECT_EQ(log.n, 3);
    free_keys(2, key);
}

/* A null pointer is a value like others. */
static void null_value(team_t *t, void *arg)
{
    void *got = value_of(0);
    int key, flag = -1;
    (void)arg;
    EXPECT_OK(ep_comm_create_keyval(EP_COMM_NULL_COPY_FN, EP_COMM_NULL_DELETE_FN, &key, NULL));
    EXPECT_OK(ep_comm_set_attr(t->comm, key, NULL));
    EXPECT_OK(ep_comm_get_attr(t->comm, key, &got, &flag));
    EXPECT_EQ(flag, 1);
    EXPECT(got == NULL);
    EXPECT_OK(ep_comm_free_keyval(&key));
}

static void freeing(team_t *t, void *arg)
{
    struct log log = new_log();
    int key[4];
    ep_comm comm = t->comm;
    (void)arg;
    make_keys(&log, 4, key);
    for (int i = 0; i < 4; i++)
        EXPECT_OK(ep_comm_set_attr(comm, key[i], value_of(i)));
    EXPECT_OK(ep_comm_set_attr(comm, key[1], value_of(10))); /* the newest now */
    EXPECT_OK(ep_comm_delete_attr(comm, key[2]));
    log.n = 0;
    EXPECT_OK(ep_comm_free(&t->comm));
    EXPECT(t->comm == EP_COMM_NULL);
    EXPECT_EQ(log.n, 3);
    expect_event(&log, 0, 'd', comm, key[1], value_of(10));
    expect_event(&log, 1, 'd', comm, key[3], value_of(3));
    expect_event(&log, 2, 'd', comm, key[0], value_of(0));
    free_keys(4, key);
}

/* A delete callback that fails: its code comes back, and the attribute stays. */
static void delete_errors(team_t *t, void *arg)
{
    struct log log = new_log();
    int key[3], rank = -1;
    ep_comm comm = t->comm;
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    (void)arg;
    make_keys(&log, 3, key);
    for (int i = 0; i < 3; i++)
        EXPECT_OK(ep_comm_set_attr(comm, key[i], value_of(i)));
    log.fail_delete = key[1];
    log.fail_code = MPI_ERR_ROOT;
    EXPECT_RC(ep_comm_delete_attr(comm, key[1]), MPI_ERR_ROOT);
    EXPECT_OK(ep_error_string(MPI_ERR_ROOT, text, &length));
    EXPECT_CONTAINS(text, "delete callback");
    expect_value(comm, key[1], value_of(1));
    log.fail_code = 123456; /* no code at all */
    EXPECT_RC(ep_comm_set_attr(comm, key[1], value_of(9)), 123456);
    expect_value(comm, key[1], value_of(1));
    log.n = 0;
    log.fail_code = MPI_ERR_ROOT;
    EXPECT_RC(ep_comm_free(&t->comm), MPI_ERR_ROOT);
    EXPECT(t->comm == comm);
    EXPECT_EQ(log.n, 2); /* the third is gone, at the second it stopped */
    EXPECT_OK(ep_comm_rank(comm, &rank));
    EXPECT_EQ(rank, t->rank);
    expect_value(comm, key[2], NULL);
    expect_value(comm, key[1], value_of(1));
    expect_value(comm, key[0], value_of(0));
    log.fail_delete = no_key();
    EXPECT_OK(ep_comm_free(&t->comm));
    EXPECT_EQ(log.n, 4);
    free_keys(3, key);
}

static void keys(team_t *t, void *arg)
{
    const int foreign[] = {MPI_KEYVAL_INVALID, MPI_TAG_UB,   MPI_LASTUSEDCODE,
                           MPI_UNIVERSE_SIZE,  MPI_WIN_BASE, 0x7ffffff0};
    struct log log = new_log();
    int key, stale, flag, n = (int)(sizeof foreign / sizeof *foreign), mpi_key, copy;
    void *got;
    (void)arg;
    for (int i = 0; i < n; i++) {
        copy = foreign[i];
        EXPECT_RC(ep_comm_set_attr(t->comm, copy, value_of(0)), MPI_ERR_KEYVAL);
        EXPECT_RC(ep_comm_delete_attr(t->comm, copy), MPI_ERR_KEYVAL);
        EXPECT_EQ(copy, foreign[i]);
    }
    EXPECT_RC(ep_comm_get_attr(t->comm, MPI_KEYVAL_INVALID, &got, &flag), MPI_ERR_KEYVAL);
    EXPECT_RC(ep_comm_get_attr(t->comm, MPI_WIN_BASE, &got, &flag), MPI_ERR_KEYVAL);
    if (t->index == 0) { /* a key of the MPI underneath is another matter */
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &mpi_key, NULL);
        EXPECT_RC(ep_comm_set_attr(t->comm, mpi_key, value_of(0)), MPI_ERR_KEYVAL);
        MPI_Comm_free_keyval(&mpi_key);
    }
    make_keys(&log, 1, &key);
    EXPECT_OK(ep_comm_set_attr(t->comm, key, value_of(1)));
    stale = key;
    EXPECT_OK(ep_comm_free_keyval(&key));
    EXPECT_EQ(log.n, 0); /* the attribute lives on, and with it the number */
    EXPECT_OK(ep_comm_get_attr(t->comm, stale, &got, &flag));
    EXPECT(flag && got == value_of(1));
    key = stale;
    EXPECT_OK(ep_comm_free_keyval(&key)); /* once more does nothing */
    EXPECT_OK(ep_comm_delete_attr(t->comm, stale));
    EXPECT_EQ(log.n, 1);
    expect_event(&log, 0, 'd', t->comm, stale, value_of(1));
    EXPECT_RC(ep_comm_set_attr(t->comm, stale, value_of(2)), MPI_ERR_KEYVAL);
    EXPECT_RC(ep_comm_get_attr(t->comm, stale, &got, &flag), MPI_ERR_KEYVAL);
    EXPECT_RC(ep_comm_delete_attr(t->comm, stale), MPI_ERR_KEYVAL);
    for (int i = 0; i < 100; i++) {
        EXPECT_OK(ep_comm_create_keyval(EP_COMM_DUP_FN, EP_COMM_NULL_DELETE_FN, &key, NULL));
        EXPECT(key != stale);
        EXPECT_OK(ep_comm_free_keyval(&key));
    }
}

/* Errors of keys belong to no communicator. */
static void bad_keys(void)
{
    int key = 77, number = MPI_TAG_UB;
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN));
    EXPECT_RC(ep_comm_free_keyval(&number), MPI_ERR_KEYVAL);
    EXPECT_EQ(number, MPI_TAG_UB);
    number = MPI_KEYVAL_INVALID;
    EXPECT_RC(ep_comm_free_keyval(&number), MPI_ERR_KEYVAL);
    EXPECT_OK(ep_comm_create_keyval(EP_COMM_NULL_COPY_FN, EP_COMM_NULL_DELETE_FN, &key, NULL));
    number = key;
    EXPECT_OK(ep_comm_free_keyval(&key));
    EXPECT_RC(ep_comm_free_keyval(&number), MPI_ERR_KEYVAL);
    EXPECT_RC(ep_comm_free_keyval(NULL), MPI_ERR_ARG);
    key = 77;
    EXPECT_RC(ep_comm_create_keyval(NULL, EP_COMM_NULL_DELETE_FN, &key, NULL), MPI_ERR_ARG);
    EXPECT_RC(ep_comm_create_keyval(EP_COMM_NULL_COPY_FN, NULL, &key, NULL), MPI_ERR_ARG);
    EXPECT_RC(ep_comm_create_keyval(EP_COMM_NULL_COPY_FN, EP_COMM_NULL_DELETE_FN, NULL, NULL), MPI_ERR_ARG);
    EXPECT_EQ(key, 77);
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_ARE_FATAL));
}

/* One key for all endpoints: each has its own attribute. */
static void independent(team_t *t, void *arg)
{
    int *key = arg;
    if (t->index == 0)
        EXPECT_OK(ep_comm_create_keyval(EP_COMM_DUP_FN, EP_COMM_NULL_DELETE_FN, key, NULL));
    team_barrier(t);
    if (t->rank % 2 == 0)
        EXPECT_OK(ep_comm_set_attr(t->comm, *key, value_of(t->index)));
    team_barrier(t);
    expect_value(t->comm, *key, t->rank % 2 == 0 ? value_of(t->index) : NULL);
    team_barrier(t);
    if (t->index == 0)
        EXPECT_OK(ep_comm_free_keyval(key));
}

static void independent_endpoints(void)
{
    int key = MPI_KEYVAL_INVALID;
    team_run(independent, &key);
}

/* ---- dup ---- */

/* Keys 0 and 2 are copied. */
static void expect_copies(team_t *t, struct log *log, const int key[])
{
    ep_comm dup = EP_COMM_NULL;
    log->n = 0;
    if (!EXPECT_OK(ep_comm_dup(t->comm, &dup)))
        return;
    EXPECT_EQ(log->n, 3);
    for (int i = 0; i < 3; i++) {
        expect_event(log, i, 'c', t->comm, key[i], value_of(10 * i));
        expect_value(t->comm, key[i], value_of(10 * i));
        expect_value(dup, key[i], i == 1 ? NULL : value_of(10 * i + 1));
    }
    ep_comm freed = dup;
    log->n = 0;
    EXPECT_OK(ep_comm_free(&dup));
    EXPECT_EQ(log->n, 2);
    expect_event(log, 0, 'd', freed, key[2], value_of(21));
    expect_event(log, 1, 'd', freed, key[0], value_of(1));
    for (int i = 0; i < 3; i++)
        expect_value(t->comm, key[i], value_of(10 * i));
}

static void duplicate(team_t *t, void *arg)
{
    struct log log = new_log();
    int key[3];
    ep_comm dup = EP_COMM_NULL;
    (void)arg;
    make_keys(&log, 3, key);
    for (int i = 0; i < 3; i++)
        EXPECT_OK(ep_comm_set_attr(t->comm, key[i], value_of(10 * i)));
    log.omit = key[1];
    expect_copies(t, &log, key);
    log.omit = no_key();
    free_keys(3, key); /* freed keys: their attributes are copied on */
    log.n = 0;
    if (EXPECT_OK(ep_comm_dup(t->comm, &dup))) {
        EXPECT_EQ(log.n, 3);
        EXPECT_OK(ep_comm_free(&dup));
        EXPECT_EQ(log.n, 6);
    }
    log.n = 0;
    EXPECT_OK(ep_comm_free(&t->comm));
    EXPECT_EQ(log.n, 3);
}

static void ready_made_callbacks(team_t *t, void *arg)
{
    int dup_key, null_key;
    ep_comm dup = EP_COMM_NULL;
    (void)arg;
    EXPECT_OK(ep_comm_create_keyval(EP_COMM_DUP_FN, EP_COMM_NULL_DELETE_FN, &dup_key, NULL));
    EXPECT_OK(ep_comm_create_keyval(EP_COMM_NULL_COPY_FN, EP_COMM_NULL_DELETE_FN, &null_key, NULL));
    EXPECT_OK(ep_comm_set_attr(t->comm, dup_key, value_of(40)));
    EXPECT_OK(ep_comm_set_attr(t->comm, null_key, value_of(50)));
    if (EXPECT_OK(ep_comm_dup(t->comm, &dup))) {
        expect_value(dup, dup_key, value_of(40));
        expect_value(dup, null_key, NULL);
        EXPECT_OK(ep_comm_set_attr(dup, dup_key, value_of(41)));
        expect_value(t->comm, dup_key, value_of(40));
        EXPECT_OK(ep_comm_free(&dup));
    }
    EXPECT_OK(ep_comm_free_keyval(&dup_key));
    EXPECT_OK(ep_comm_free_keyval(&null_key));
}

/* One endpoint's copy callback fails: no one gets a communicator, and what was copied is deleted again. */
static void copy_errors(team_t *t, void *arg)
{
    struct log log = new_log();
    int key[3], culprit = t->size - 1, rc;
    ep_comm dup = EP_COMM_NULL;
    (void)arg;
    make_keys(&log, 3, key);
    for (int i = 0; i < 3; i++)
        EXPECT_OK(ep_comm_set_attr(t->comm, key[i], value_of(10 * i)));
    log.fail_copy = t->rank == culprit ? key[2] : no_key();
    log.fail_code = MPI_ERR_ROOT;
    rc = ep_comm_dup(t->comm, &dup);
    EXPECT(rc != MPI_SUCCESS);
    if (t->rank == culprit)
        EXPECT_RC(rc, MPI_ERR_ROOT);
    int copied = 0, deleted = 0;
    for (int i = 0; i < log.n && i < MAX_EVENTS; i++) {
        copied += log.events[i].what == 'c' && log.events[i].keyval != log.fail_copy;
        deleted += log.events[i].what == 'd';
    }
    EXPECT_EQ(copied, deleted);
    if (t->rank == culprit) {
        EXPECT_EQ(log.n, 5);
        EXPECT_EQ(log.events[3].keyval, key[1]);
        EXPECT(log.events[3].value == value_of(11));
        EXPECT(log.events[4].value == value_of(1));
    }
    log.fail_copy = no_key();
    for (int i = 0; i < 3; i++)
        expect_value(t->comm, key[i], value_of(10 * i));
    if (EXPECT_OK(ep_comm_dup(t->comm, &dup)))
        EXPECT_OK(ep_comm_free(&dup));
    EXPECT_OK(ep_comm_free(&t->comm));
    free_keys(3, key);
}

/* ---- callbacks that use attributes ---- */

struct nested {
    int other;          /* key to set in a delete callback */
    int found, set, rc; /* what it saw */
};

static int delete_nested(ep_comm comm, int keyval, void *value, void *extra)
{
    struct nested *n = extra;
    void *got = NULL;
    int flag = 0;
    n->rc = ep_comm_get_attr(comm, keyval, &got, &flag);
    n->found = flag && got == value; /* it is there until its callback is through */
    n->set = ep_comm_set_attr(comm, n->other, value_of(5)) == MPI_SUCCESS;
    n->rc |= ep_comm_delete_attr(comm, keyval); /* and is not deleted a second time */
    return MPI_SUCCESS;
}

static void callbacks_use_attributes(team_t *t, void *arg)
{
    struct nested n = {0};
    struct log log = new_log();
    int key;
    (void)arg;
    make_keys(&log, 1, &n.other);
    EXPECT_OK(ep_comm_create_keyval(EP_COMM_DUP_FN, delete_nested, &key, &n));
    EXPECT_OK(ep_comm_set_attr(t->comm, key, value_of(3)));
    EXPECT_OK(ep_comm_delete_attr(t->comm, key));
    EXPECT_OK(n.rc);
    EXPECT(n.found);
    EXPECT(n.set);
    expect_value(t->comm, n.other, value_of(5));
    EXPECT_OK(ep_comm_set_attr(t->comm, key, value_of(3)));
    EXPECT_OK(ep_comm_free(&t->comm)); /* what is set meanwhile is deleted too */
    EXPECT_EQ(log.n, 2);
    EXPECT_OK(ep_comm_free_keyval(&key));
    EXPECT_OK(ep_comm_free_keyval(&n.other));
}

static int delete_sets_again(ep_comm comm, int keyval, void *value, void *extra)
{
    int *calls = extra;
    (void)value;
    return ++*calls == 1 ? ep_comm_set_attr(comm, keyval, value_of(9)) : MPI_SUCCESS;
}

/* A value set while its predecessor is deleted is replaced too. */
static void set_in_between(team_t *t, void *arg)
{
    int key, calls = 0;
    (void)arg;
    EXPECT_OK(ep_comm_create_keyval(EP_COMM_DUP_FN, delete_sets_again, &key, &calls));
    EXPECT_OK(ep_comm_set_attr(t->comm, key, value_of(1)));
    EXPECT_OK(ep_comm_set_attr(t->comm, key, value_of(2)));
    EXPECT_EQ(calls, 2);
    expect_value(t->comm, key, value_of(2));
    EXPECT_OK(ep_comm_delete_attr(t->comm, key));
    EXPECT_EQ(calls, 3);
    expect_value(t->comm, key, NULL);
    EXPECT_OK(ep_comm_free_keyval(&key));
}

/* ---- two threads, one endpoint ---- */

enum { KEYS = 4, ROUNDS = 400 };

struct tally {
    atomic_int set[KEYS], deleted[KEYS];
};

struct racer {
    team_t *team;
    const int *keys;
    struct tally *tally;
    unsigned seed;
};

static int delete_counted(ep_comm comm, int keyval, void *value, void *extra)
{
    (void)comm;
    (void)keyval;
    (void)extra;
    atomic_fetch_add((atomic_int *)value, 1);
    return MPI_SUCCESS;
}

static void *race(void *arg)
{
    struct racer *r = arg;
    uint64_t state = r->seed;
    team_adopt(r->team);
    for (int i = 0; i < ROUNDS / harness_slowness(); i++) {
        int k = random_below(&state, KEYS), flag;
        void *got;
        switch (random_below(&state, 3)) {
        case 0:
            EXPECT_OK(ep_comm_set_attr(r->team->comm, r->keys[k], &r->tally->deleted[k]));
            atomic_fetch_add(&r->tally->set[k], 1);
            break;
        case 1:
            EXPECT_OK(ep_comm_get_attr(r->team->comm, r->keys[k], &got, &flag));
            EXPECT(!flag || got == &r->tally->deleted[k]);
            break;
        default:
            EXPECT_OK(ep_comm_delete_attr(r->team->comm, r->keys[k]));
        }
    }
    return NULL;
}

/* Each value set is deleted once, and a key has one value at most. */
static void two_threads(team_t *t, void *arg)
{
    struct tally tally = {0};
    int keys_[KEYS];
    pthread_t other;
    (void)arg;
    for (int k = 0; k < KEYS; k++)
        EXPECT_OK(ep_comm_create_keyval(EP_COMM_DUP_FN, delete_counted, &keys_[k], NULL));
    struct racer racers[] = {{t, keys_, &tally, (unsigned)random_next(&t->random)},
                             {t, keys_, &tally, (unsigned)random_next(&t->random)}};
    int started = pthread_create(&other, NULL, race, &racers[1]) == 0;
    EXPECT(started);
    race(&racers[0]);
    if (started)
        pthread_join(other, NULL);
    for (int k = 0; k < KEYS / 2; k++) {
        EXPECT_OK(ep_comm_delete_attr(t->comm, keys_[k]));
        expect_value(t->comm, keys_[k], NULL);
    }
    EXPECT_OK(ep_comm_free(&t->comm));
    for (int k = 0; k < KEYS; k++) {
        EXPECT_EQ(atomic_load(&tally.set[k]), atomic_load(&tally.deleted[k]));
        EXPECT_OK(ep_comm_free_keyval(&keys_[k]));
    }
}

/* ---- the rest ---- */

static void predefined(team_t *t, void *arg)
{
    static const int keys_of_mpi[] = {MPI_HOST, MPI_IO, MPI_WTIME_IS_GLOBAL, MPI_APPNUM, MPI_UNIVERSE_SIZE};
    int *value, *of_mpi, flag, mpi_flag;
    (void)arg;
    for (size_t i = 0; i < sizeof keys_of_mpi / sizeof *keys_of_mpi; i++) {
        value = of_mpi = NULL;
        EXPECT_OK(ep_comm_get_attr(t->comm, keys_of_mpi[i], &value, &flag));
        MPI_Comm_get_attr(MPI_COMM_WORLD, keys_of_mpi[i], &of_mpi, &mpi_flag);
        EXPECT_EQ(flag, mpi_flag);
        if (flag)
            EXPECT_EQ(*value, *of_mpi);
    }
    EXPECT_OK(ep_comm_get_attr(t->comm, MPI_LASTUSEDCODE, &value, &flag));
    EXPECT(flag && *value >= MPI_ERR_LASTCODE);
    EXPECT_RC(ep_comm_get_attr(t->comm, MPI_TAG_UB, NULL, &flag), MPI_ERR_ARG);
    EXPECT_RC(ep_comm_get_attr(t->comm, MPI_TAG_UB, &value, NULL), MPI_ERR_ARG);
}

static void old_names(team_t *t, void *arg)
{
    struct log log = new_log();
    void *got = NULL;
    int key, flag = 0;
    (void)arg;
    EXPECT_OK(ep_keyval_create(EP_DUP_FN, delete_logged, &key, &log));
    EXPECT_OK(ep_attr_put(t->comm, key, value_of(7)));
    EXPECT_OK(ep_attr_get(t->comm, key, &got, &flag));
    EXPECT(flag && got == value_of(7));
    expect_value(t->comm, key, value_of(7));
    EXPECT_OK(ep_attr_delete(t->comm, key));
    expect_event(&log, 0, 'd', t->comm, key, value_of(7));
    EXPECT_OK(ep_keyval_free(&key));
    EXPECT_EQ(key, MPI_KEYVAL_INVALID);
}

static const harness_test tests[] = {
    {"set and get", set_and_get, NULL},
    {"null value", null_value, NULL},
    {"freeing", freeing, NULL},
    {"errors of delete callbacks", delete_errors, NULL},
    {"keys", keys, NULL},
    {"bad keys", NULL, bad_keys},
    {"independent endpoints", NULL, independent_endpoints},
    {"duplicate", duplicate, NULL},
    {"ready-made callbacks", ready_made_callbacks, NULL},
    {"errors of copy callbacks", copy_errors, NULL},
    {"callbacks use attributes", callbacks_use_attributes, NULL},
    {"set in between", set_in_between, NULL},
    {"two threads", two_threads, NULL},
    {"predefined", predefined, NULL},
    {"old names", old_names, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "attributes", tests);
}
