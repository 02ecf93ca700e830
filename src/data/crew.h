/* The crew: threads that fill batches, and the ring of batches they work on. The owner (one thread at a time) puts batches in
 * and takes them out in order; while it waits it works too, so a crew without threads is no special case.
 * A batch is cut into pieces that whoever is free takes, always from the oldest batch: the first batch is there after a
 * fraction of its work, and few batches in advance are enough. */
#ifndef WN_DATA_CREW_H
#define WN_DATA_CREW_H
#include <pthread.h>
#include "data/dataset.h"

typedef struct wn__slot {
    int64_t number;  /* of the batch */
    int64_t size;    /* samples */
    int64_t *index;  /* which ones */
    uint64_t seed;
    wn_tensor *part[WN_MAX_PARTS]; /* owned */
    char *out[WN_MAX_PARTS];
    /* under the lock: */
    int64_t next;       /* the first sample that nobody has taken */
    int64_t unfinished; /* samples not filled yet */
    wn__misfortune trouble; /* of the first sample, in the order of the batch, that failed */
} wn__slot;

typedef struct wn__crew {
    const wn_dataset *dataset;
    int nslots, nthreads;
    int64_t piece;    /* samples taken at a time */
    wn__slot *slots;  /* batch k lives in slot k % nslots */
    int64_t first, end; /* the batches in the ring: [first, end); the owner's, changed under the lock */
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    int idle;         /* threads waiting for work */
    bool quit;
    _Atomic bool cancel; /* what is being filled is not wanted any more */
    double worked;    /* seconds */
    pthread_t *threads;
    int64_t pid;      /* after fork the threads are gone */
} wn__crew;

/* False with an error record; threads that cannot be started are done without. */
bool wn__crew_start(wn__crew *c, const char *op, const wn_dataset *d, int threads, int nslots, int64_t batch_size);
bool wn__crew_lost(const wn__crew *c); /* are we in a forked child? */
/* The empty ring goes on with this batch number. */
void wn__crew_begin(wn__crew *c, int64_t number);
/* The slot that the next batch goes to (its index array may be written), or NULL if the ring is full. */
wn__slot *wn__crew_free_slot(wn__crew *c);
/* Puts the batch that was prepared there in: number, size, index and seed are set. Its tensors are made here; that memory is
 * short becomes the batch's trouble. */
void wn__crew_put(wn__crew *c, wn__slot *s);
/* Waits for the oldest batch, working on it. */
wn__slot *wn__crew_wait(wn__crew *c);
/* The oldest batch leaves the ring (its tensors are the caller's by now, or NULL). */
void wn__crew_take(wn__crew *c);
/* Drops all batches, waiting only for the samples that are being filled right now. */
void wn__crew_clear(wn__crew *c);
double wn__crew_worked(wn__crew *c);
void wn__crew_stop(wn__crew *c); /* joins the threads, frees everything */
double wn__seconds(void);
#endif
