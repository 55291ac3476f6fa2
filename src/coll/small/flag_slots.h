/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Flag slots: how endpoints that share memory tell each other a few bytes in a collective call without a lock.
 * small.h says what is told.
 *
 * Who share them are the members of the communicator, where all of its processes are on one machine and map
 * one segment for that (`machine`), or where there is one process; else the endpoints of each process, whose
 * leaders exchange messages. A member is known by its place: its rank; or its local index, which in a communicator
 * of one process is the same.
 *
 * Each has a column with a ring of slots. All make the same small calls, numbered k = 0, 1, ... In call k a member
 * posts at most once, in slot k % ring of its own column. What does not fit into a slot may be put on the
 * member's stage, a ring of STAGE_BYTES, before it posts; the slot says where.
 *
 *   word              written by             order                            read by
 *   number of a slot  the owner              release: k + 1                   others in call k, acquire
 *   rest of a slot,   the owner              before its number                others, after its number
 *   stage
 *   column.finished   the owner              release: calls finished, told    others that post, acquire
 *                                            every PUBLISH calls, and at the
 *                                            end of calls in which it has
 *                                            seen stages or addresses
 *   column.put;       pieces.h
 *   pieces
 *   column.together   the owner              release: k + 1, in call k where   others in call k, acquire
 *                                            members copy for each other; its
 *                                            slot says whether that failed
 *   flag_owner        the owner, but for awaits
 *   owner.awaits      the owner              before sleepers                  who notifies
 *   sleepers          who is going to sleep  before evcount_prepare           who notifies: light fence first
 *
 * No slot is overwritten too early. The slot for call k may be written when all others have finished call
 * k - ring, that is, at least k - ring + 1 calls. `known` is a lower bound of what they all have finished:
 * what was read from `finished`, which is never ahead of the truth; or, after a call k' in which the
 * member has heard from all others, directly or by way of some, k': whoever comes to call k' has finished
 * those before. Either way the others' reads of the slot come before a release of theirs, and that before
 * the acquire of the writer (through those by whose way it heard, release by release), and that before the
 * write. The same holds for the stage: owner.staged[] has, for each part of it, one more than the last call whose
 * data are there, and who has read them; the part is written again when these have finished so many calls.
 *
 * No slot is read too early or too late. Its number grows by ring at a time or a multiple of that, and what
 * call k has put there stays until all have finished call k. So who is in call k sees a number below k + 1,
 * and waits, or k + 1. 64 bits do not wrap.
 *
 * Waiting ends. Consider a member in the lowest call j that any of them is in. It does not wait to
 * write a slot: all have finished j calls and told at least j - PUBLISH + 1, and j - ring + 1 is enough. Nor to write
 * on its stage: it waits for calls before j, at whose end all who have read its data there have told. (In a gather that is the root.
 * The leaves, who do not see where others' data are, need not think alike of it: they may bring different lengths, an error.) So it
 * waits for a slot of call j. If the owner is beyond call j, it has posted it. If it is in call j, it does
 * not wait to write either, and posts before it reads, or, in the tree, after reading slots of those below,
 * who do the same: the lowest just post. Who waits for its readers (`finished` or `together` of call j itself) has posted, and they
 * say that before they wait for any such word.
 * Within calls that use pieces: pieces.h.
 *
 * Sleep, in a process: who has waited long goes to p2p's wait (makes progress for the endpoint, sleeps on its event
 * count). Before, it writes down whom it awaits and adds itself to the sleepers. Who has changed a number, after a
 * light fence, looks for sleepers and notifies those that await it. That is the pattern of crt/evcount.h,
 * with awaits and sleepers beside the event count's bit: all three are written before the sleeper's heavy
 * fence and read after the notifier's light one. tests/spin/small.pml models the slots, their notifications,
 * the stages and the sleep. Where another process may be awaited nobody is notified: p2p/progress/memory.h.
 */
#ifndef EP_COLL_FLAG_SLOTS_H
#define EP_COLL_FLAG_SLOTS_H

#include <string.h>

#include "coll/op.h"
#include "net/net.h"
#include "p2p/p2p.h"

enum { RING = 4, RING_LONG = 6 }; /* logarithms */
enum { PUBLISH = 8, SLOT_BYTES = 112, BOARD_BYTES = 1024 };
enum { STAGE_BYTES = 64 << 10, STAGE_PART = 1 << 10, STAGE_PARTS = STAGE_BYTES / STAGE_PART };
enum { STAGES_MAX = 64 }; /* members */
enum { PIECES_BYTES = 512 << 10, FETCH_BYTES = 256 << 10 }; /* of each member: for pieces.h, and small_fetch_room */
enum { STAGED_MAX = STAGE_BYTES / 2 }; /* bytes of one call, so that two in a row need not wait for each other */

/* Where what a member brings to a call is. */
enum flag_where {
    WHERE_SLOT,
    WHERE_SLOTS,     /* blocks for each, all in the slot (blocks.c) */
    WHERE_STAGE,     /* the slot has the offset */
    WHERE_ADDRESS,   /* the slot has a struct address (small.h) */
    WHERE_STAGES,    /* blocks for each: the slot has the offset of a list of offsets (blocks.c) */
    WHERE_ADDRESSES, /* the same of addresses */
    WHERE_GIVEN      /* one process: the slot has a struct address that leads to what the call was given */
};

/* Two cache lines, which some processors fetch together. */
struct flag_slot {
    _Alignas(2 * CACHE_LINE) _Atomic uint64_t number; /* release small_post_at, acquire small_await and address_has_posted */
    int bytes;
    short rc;                           /* of the owner: there are no data */
    short where;                        /* enum flag_where */
    _Alignas(16) char data[SLOT_BYTES]; /* for any basic type */
};

struct column {
    /* release small_publish, acquire small_await and address_has_posted */
    _Alignas(2 * CACHE_LINE) _Atomic uint64_t finished;
    _Atomic uint64_t together; /* release address_finish_together, acquire small_await */
    _Alignas(CACHE_LINE) _Atomic uint64_t put; /* release piece_put, acquire small_await */
};

/* What is done to elements of mpi. */
struct learnt {
    MPI_Datatype mpi;
    MPI_Op op;
    bool is; /* it is known */
    arith_kernel *kernel;
};

/* Who has read what lies in a part of a stage. */
struct staged {
    uint64_t until; /* calls that readers have finished when the part is free */
    int reader;     /* place; STAGE_ALL: any */
};
enum { STAGE_ALL = -1 };

/* What a member keeps for itself. */
struct flag_owner {
    _Alignas(2 * CACHE_LINE) uint64_t calls;
    uint64_t known;
    int place;            /* constant */
    _Atomic int awaits;   /* place; relaxed */
    struct learnt learnt; /* about the last reduction, often good for the next */
    unsigned stage_next;  /* part */
    struct staged staged[STAGE_PARTS];
};

struct flag_slots {
    /* constant */
    _Alignas(2 * CACHE_LINE) int n; /* who share them */
    bool machine; /* in several processes */
    bool crowded; /* there were more endpoints than cores when they were made */
    unsigned shift; /* each has a ring of 1 << shift slots, */
    uint64_t mask;  /* one more than this */
    short most_near[COLL_KINDS]; /* small_most_near; -1 between leaders */
    bool varying[COLL_KINDS];    /* small_takes_varying; not between leaders */
    struct column *column; /* by place; the slots of place i begin at i << shift */
    struct flag_slot *slot;
    char *stages;            /* of STAGE_BYTES each; NULL: there are none */
    struct flag_owner *owner; /* by local index */
    char *boards; /* leaders of several processes: as many times BOARD_BYTES as the ring has slots, more room for those of index 0 */
    struct net_peer **peer; /* `machine`: by place, the process; NULL: this one */
    char *pieces;           /* of PIECES_BYTES each; where there are stages */
    struct segment segment; /* `machine`: where column, slot, stages and pieces are */
    /* any thread */
    _Alignas(CACHE_LINE) _Atomic int sleepers; /* relaxed */
};

/* One call in one endpoint. */
struct small_call {
    ep_comm view;
    struct flag_slots *flag_slots;
    struct flag_owner *own;
    struct flag_slot *slots; /* of this call; place i's is i << shift further on */
    unsigned shift;
    int me;           /* place */
    bool publishes;   /* somebody may wait until this one has finished */
    int reader;       /* who reads what this one puts on its stage: a place, or STAGE_ALL */
    uint64_t call;    /* number */
    const char *name; /* of the function, for the watchdog */
    int rc;
};

/*
 * Slots of a communicator are made when first asked for, and go with it (comm_destroy). Without memory there
 * are none, for ever and for all: since the choice of the algorithm depends on it, it is the same in all
 * processes. So in the first call that could use them processes vote, in operations of their own (run.c).
 */

/* Who share slots. */
enum flag_reach { REACH_PROCESS = 1, REACH_MACHINE, REACH_LEADERS };
enum flag_reach flag_slots_reach_slow(struct comm *c);
static inline enum flag_reach flag_slots_reach(struct comm *c)
{
    int reach = load_relaxed(&c->coll->reach);
    return likely(reach) ? (enum flag_reach)reach : flag_slots_reach_slow(c);
}

/* What the process of rank 0 tells the others of a machine. */
struct flag_slots_card {
    struct segment_key key;
    bool crowded, ok;
};

/* One process: are there any? They are made if nobody has tried. */
bool flag_slots_make(struct comm *c);
/* Several: make them if there is memory; nobody uses them yet. Every endpoint asks before the vote. REACH_MACHINE: rank 0 asks first,
 * without a card, and then has one in *made; the others, and it once more, with that. */
bool flag_slots_prepare(struct comm *c, const struct flag_slots_card *card, struct flag_slots_card *made);
/* They are used from now on, or never. Every endpoint says so, and all the same. */
void flag_slots_settle(struct comm *c, bool used);
/* NULL: there are none. */
void flag_slots_free(struct flag_slots *flag_slots);

/* Are there any? Out of line part of flag_slots_exist: every endpoint calls it at the same call. */
bool flag_slots_ask(ep_comm view, const char *name);

static inline bool flag_slots_exist(ep_comm view, const char *name)
{
    return likely(load_acquire(&view->comm->coll->flag_slots) != NULL) || flag_slots_ask(view, name);
}

static inline struct small_call small_begin(ep_comm view, const char *name)
{
    struct flag_slots *s = load_relaxed(&view->comm->coll->flag_slots);
    struct flag_owner *own = &s->owner[view->index];
    uint64_t call = own->calls;
    return (struct small_call){.view = view,
                               .flag_slots = s,
                               .own = own,
                               .slots = s->slot + (call & s->mask),
                               .shift = s->shift,
                               .me = own->place,
                               .reader = STAGE_ALL,
                               .call = call,
                               .name = name};
}

/* The slot of this call of who has a place. */
static inline struct flag_slot *small_slot_of(const struct small_call *t, int place)
{
    return t->slots + ((size_t)place << t->shift);
}

/* The same of the next call. */
static inline struct flag_slot *small_next_slot_of(const struct small_call *t, int place)
{
    const struct flag_slots *s = t->flag_slots;
    return s->slot + ((size_t)place << t->shift) + ((t->call + 1) & s->mask);
}

void flag_slots_notify(struct small_call *t);

/* A word of the own column was changed. */
static inline void small_tell(struct small_call *t)
{
    light_fence();
    if (unlikely(load_relaxed(&t->flag_slots->sleepers) > 0))
        flag_slots_notify(t);
}

/* This one has finished the call, and tells so at once. */
static inline void small_publish(struct small_call *t)
{
    net_shm_goes_out(t->flag_slots);
    store_release(&t->flag_slots->column[t->me].finished, t->call + 1);
    small_tell(t);
}

static inline void small_end(struct small_call *t)
{
    t->own->calls = t->call + 1;
    if ((t->call + 1) % PUBLISH == 0 || unlikely(t->publishes))
        small_publish(t);
}

/* All others have come to this call. */
static inline void small_met_all(struct small_call *t)
{
    t->own->known = t->call;
}

/* Wait until all others have finished so many calls. */
void small_wait_free(struct small_call *t, uint64_t least);

/* The own slot of this call, to be filled and posted; waits until the others allow to write. */
static inline struct flag_slot *small_slot(struct small_call *t)
{
    uint64_t mask = t->flag_slots->mask;
    if (unlikely(t->call - t->own->known > mask))
        small_wait_free(t, t->call - mask);
    return small_slot_of(t, t->me);
}

/* Room for `bytes` of this call on the own stage, not more than it has; waits likewise. As an offset. */
size_t small_stage(struct small_call *t, size_t bytes);

/* Of who has a place. */
static inline char *small_stage_of(const struct small_call *t, int place)
{
    return t->flag_slots->stages + (size_t)place * STAGE_BYTES;
}

/* FETCH_BYTES for what this member alone fetches from other processes in a call. */
static inline char *small_fetch_room(const struct small_call *t)
{
    return t->flag_slots->pieces + ((size_t)t->me + 1) * PIECES_BYTES - FETCH_BYTES;
}

static inline void small_post_at(struct small_call *t, struct flag_slot *flag_slot, size_t bytes,
                                 enum flag_where where)
{
    flag_slot->bytes = (int)bytes;
    flag_slot->rc = (short)t->rc;
    flag_slot->where = (short)where;
    chaos_point();
    net_shm_goes_out(t->flag_slots);
    store_release(&flag_slot->number, t->call + 1);
    small_tell(t);
    prefetch_write(small_next_slot_of(t, t->me));
}

static inline void small_post(struct small_call *t, struct flag_slot *flag_slot, size_t bytes)
{
    small_post_at(t, flag_slot, bytes, WHERE_SLOT);
}

/* Out of line part of small_await. */
uint64_t small_await_slow(struct small_call *t, int place, _Atomic uint64_t *number, uint64_t least);

/* Wait until look, of memory that the one with a place writes, which may be in another process. */
void small_await_memory(struct small_call *t, int place, bool (*look)(void *arg), void *arg);

/* For the thread sanitizer, which sees no step that another process took: what one of the others has said was heard. */
static inline void small_heard(const struct small_call *t)
{
    net_shm_comes_in(t->flag_slots);
    net_shm_hears();
}

/* Wait until a number in another's column is at least `least`. Returns the number. */
static inline uint64_t small_await(struct small_call *t, int place, _Atomic uint64_t *number, uint64_t least)
{
    uint64_t now = load_acquire(number);
    chaos_point();
    if (unlikely(now < least))
        now = small_await_slow(t, place, number, least);
    small_heard(t);
    return now;
}

/* Out of line part of small_await_slot. */
void small_note_slot(struct small_call *t, const struct flag_slot *flag_slot, size_t bytes);

/* What the one with a place posts in this call. If it failed, or brings not `bytes`, that is an error of the call: so who has
 * no error finds data where all put so many. */
static inline struct flag_slot *small_await_slot(struct small_call *t, int place, size_t bytes)
{
    struct flag_slot *flag_slot = small_slot_of(t, place);
    small_await(t, place, &flag_slot->number, t->call + 1);
    if (unlikely(flag_slot->rc | flag_slot->where | (flag_slot->bytes ^ (int)bytes)))
        small_note_slot(t, flag_slot, bytes);
    return flag_slot;
}

/* Out of line part of small_read. */
const char *small_stage_read(struct small_call *t, int place, const struct flag_slot *flag_slot);

/* The data of that, in the slot or on the stage. */
static inline const char *small_read(struct small_call *t, int place, size_t bytes)
{
    const struct flag_slot *flag_slot = small_await_slot(t, place, bytes);
    return likely(flag_slot->where == WHERE_SLOT) ? flag_slot->data : small_stage_read(t, place, flag_slot);
}

/* The same where the other does not wait for this one, so that it may be ahead. Then what it has posted next is fetched, too: its line
 * would be taken away from a writer who is not. */
static inline const char *small_read_next(struct small_call *t, int place, size_t bytes)
{
    const struct flag_slot *e = small_slot_of(t, place);
    if (load_relaxed(&e->number) > t->call)
        __builtin_prefetch(small_next_slot_of(t, place));
    return small_read(t, place, bytes);
}

/* Before the first look at others who come at the same time: the line that one of them is just writing
 * would be taken away from its writer, which would have to fetch it again. */
static inline void small_hold_back(void)
{
    cpu_pause();
}

/* memcpy for what is mostly one number. */
static inline void small_copy(void *to, const void *from, size_t n)
{
    if (likely(n == sizeof(double)))
        memcpy(to, from, sizeof(double));
    else if (n > 0)           /* without data the buffer may be null */
        memmove(to, from, n); /* a user may give all endpoints the same buffer */
}

#endif
