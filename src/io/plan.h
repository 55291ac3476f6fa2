/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A collective access, from where all know what all want to where all know what became of it. In between each
 * endpoint moves data:
 *
 *   alone       its own. Nothing would be gained by the others: the accesses are one behind the other, or of
 *               large pieces
 *   merged      what is in its part (domain) of the file range of the process, for all endpoints of the
 *               process, straight from and to their memory
 *   two-phase   the same of the range of all; what is other processes' goes by messages (del Rosario,
 *               Bordawekar, Choudhary 1993)
 */
#ifndef EP_IO_PLAN_H
#define EP_IO_PLAN_H

#include "io/merge.h"
#include "io/together.h"

/* What all are told of an endpoint's access. */
struct file_claim {
    int64_t from, to; /* its places; equal: it has none */
    uint64_t bytes, pieces, block;
    int32_t alone, unused;
};

enum file_way { FILE_ALONE, FILE_MERGED, FILE_TWO_PHASE };

struct file_plan {
    enum file_way way;
    bool vector;          /* large pieces */
    int64_t from, domain; /* domain d is [from + d * domain, ...) */
    int64_t to;
    int64_t block; /* bytes of the file that are moved at once */
};

/* What an endpoint brings; the others of the process use it until all have come to the end. */
struct file_coming {
    char text[FILE_TEXT]; /* together.h */
    ep_file file;
    bool writes;
    struct file_part part;
    struct file_claim claim;
    struct file_plan plan;
    struct file_coming *next; /* of the process, in a circle */
};
FILE_HAS_TEXT(file_coming);

/* All come, each with its part and claim; told: an error that the caller has raised already. Then c->plan and
 * c->next are there. */
int file_plan_make(struct where w, struct file_coming *c, int told);

/* What became of it. */
struct file_outcome {
    struct {
        int64_t eof; /* where the file ended for a read; INT64_MAX */
        int64_t error;
    } worst; /* own, then everybody's */
};
/* And of a block. */
void file_outcome_add(struct file_outcome *o, const struct file_merge *m);
/* All come: nobody needs the others' parts any more. told: as above. */
int file_plan_end(struct where w, struct file_outcome *o, int told);

/* [*from, *to): block `round` of domain d. False: it has no more. */
bool file_plan_block(const struct file_plan *p, int d, int64_t round, int64_t *from, int64_t *to);

/* Rounds of two-phase, which all make together (exchange.c). An error class, raised; what became of this
 * endpoint's blocks is in o. */
int file_exchange(struct where w, struct file_coming *c, struct file_outcome *o);

#endif
