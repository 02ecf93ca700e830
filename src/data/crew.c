/* The crew: worker threads and the ring of batches in the making. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "data/crew.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>
#include "base/alloc.h"

typedef struct piece {
    wn__slot *slot;
    int64_t from, to;
} piece;

double wn__seconds(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

/* ------------------------------------------------------------------ pieces (all under the lock) */

static bool take_from(const wn__crew *c, wn__slot *s, piece *p) {
    if (s->next >= s->size) return false;
    p->slot = s;
    p->from = s->next;
    p->to = s->size - s->next < c->piece ? s->size : s->next + c->piece;
    s->next = p->to;
    return true;
}

static bool take_piece(wn__crew *c, piece *p) {
    for (int64_t k = c->first; k < c->end; k++)
        if (take_from(c, &c->slots[k % c->nslots], p)) return true;
    return false;
}

static void run_piece(wn__crew *c, const piece *p) {
    wn__slot *s = p->slot;
    wn__misfortune m = {.position = -1};
    pthread_mutex_unlock(&c->lock);
    double start = wn__seconds();
    bool ok = wn__dataset_fill(c->dataset, s->index, p->from, p->to, s->out, s->seed, &c->cancel, &m);
    double worked = wn__seconds() - start;
    pthread_mutex_lock(&c->lock);
    c->worked += worked;
    /* Each piece stops at its first failure, so the smallest position is the same for any number of threads. */
    if (!ok && (s->trouble.position < 0 || m.position < s->trouble.position)) s->trouble = m;
    s->unfinished -= p->to - p->from;
    if (s->unfinished == 0) pthread_cond_broadcast(&c->done);
}

static void *thread_main(void *arg) {
    wn__crew *c = arg;
    piece p;
    pthread_mutex_lock(&c->lock);
    while (!c->quit) {
        if (take_piece(c, &p)) {
            run_piece(c, &p);
            continue;
        }
        c->idle++;
        pthread_cond_wait(&c->work, &c->lock);
        c->idle--;
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* ------------------------------------------------------------------ start and stop */

static bool allocate(wn__crew *c, int threads, int64_t batch_size) {
    c->slots = wn__new(wn__slot, (size_t)c->nslots);
    c->threads = wn__new(pthread_t, (size_t)(threads > 0 ? threads : 1));
    if (!c->slots || !c->threads) return false;
    for (int i = 0; i < c->nslots; i++) {
        c->slots[i].index = wn__new(int64_t, (size_t)batch_size);
        if (!c->slots[i].index) return false;
    }
    return true;
}

/* Small enough that everybody gets some of each batch, large enough that taking a piece costs nothing beside it. */
static int64_t piece_size(const wn_dataset *d, int threads, int64_t batch_size) {
    enum { LEAST = 1 << 16 };
    if (threads == 0) return batch_size;
    int64_t n = batch_size / (4 * ((int64_t)threads + 1)) + 1;
    size_t bytes = wn__dataset_sample_bytes(d) + 1;
    int64_t least = d->get ? 1 : (int64_t)(LEAST / bytes) + 1;
    return n > least ? n : least;
}

static void start_threads(wn__crew *c, int threads) {
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old); /* the host's signals are for the host's threads */
    for (; c->nthreads < threads; c->nthreads++)
        if (pthread_create(&c->threads[c->nthreads], NULL, thread_main, c) != 0) break;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

bool wn__crew_start(wn__crew *c, const char *op, const wn_dataset *d, int threads, int nslots, int64_t batch_size) {
    memset(c, 0, sizeof *c);
    c->dataset = d;
    c->nslots = nslots;
    c->pid = (int64_t)getpid();
    c->piece = piece_size(d, threads, batch_size);
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->work, NULL);
    pthread_cond_init(&c->done, NULL);
    if (!allocate(c, threads, batch_size)) {
        wn__crew_stop(c);
        wn__fail_memory(op);
        return false;
    }
    start_threads(c, threads);
    return true;
}

bool wn__crew_lost(const wn__crew *c) { return c->pid != (int64_t)getpid(); }

void wn__crew_stop(wn__crew *c) {
    /* In a forked child the lock may be held for ever by a thread that is not there: leave all of that alone. */
    if (!wn__crew_lost(c)) {
        wn__crew_clear(c);
        pthread_mutex_lock(&c->lock);
        c->quit = true;
        pthread_cond_broadcast(&c->work);
        pthread_mutex_unlock(&c->lock);
        for (int i = 0; i < c->nthreads; i++) pthread_join(c->threads[i], NULL);
        pthread_mutex_destroy(&c->lock);
        pthread_cond_destroy(&c->work);
        pthread_cond_destroy(&c->done);
    }
    for (int i = 0; c->slots && i < c->nslots; i++) {
        for (int p = 0; p < WN_MAX_PARTS; p++) wn__release(c->slots[i].part[p]);
        wn__free(c->slots[i].index);
    }
    wn__free(c->slots);
    wn__free(c->threads);
    c->slots = NULL;
    c->threads = NULL;
}

/* ------------------------------------------------------------------ the owner's side */

void wn__crew_begin(wn__crew *c, int64_t number) {
    pthread_mutex_lock(&c->lock);
    c->first = c->end = number;
    pthread_mutex_unlock(&c->lock);
}

wn__slot *wn__crew_free_slot(wn__crew *c) {
    return c->end - c->first < c->nslots ? &c->slots[c->end % c->nslots] : NULL;
}

static bool make_tensors(const wn_dataset *d, wn__slot *s) {
    for (int p = 0; p < d->nparts; p++) {
        int64_t shape[WN_MAX_DIMS], bytes;
        shape[0] = s->size;
        for (int i = 0; i < d->ndim[p]; i++) shape[i + 1] = d->shape[p][i];
        if (__builtin_mul_overflow(s->size, (int64_t)d->bytes[p], &bytes)) return false;
        s->part[p] = wn__tensor_new(d->dtype[p], d->ndim[p] + 1, shape, NULL);
        if (!s->part[p]) return false;
        s->out[p] = wn__ptr(s->part[p]);
    }
    return true;
}

static void drop_tensors(wn__slot *s) {
    for (int p = 0; p < WN_MAX_PARTS; p++) {
        wn__release(s->part[p]);
        s->part[p] = NULL;
    }
}

void wn__crew_put(wn__crew *c, wn__slot *s) {
    s->next = 0;
    s->unfinished = s->size;
    s->trouble.position = -1;
    if (!make_tensors(c->dataset, s)) {
        drop_tensors(s);
        s->trouble.position = 0;
        s->trouble.code = WN_E_MEMORY;
        s->next = s->size;
        s->unfinished = 0;
    }
    pthread_mutex_lock(&c->lock);
    c->end++;
    if (c->idle > 0 && s->unfinished > 0) pthread_cond_broadcast(&c->work);
    pthread_mutex_unlock(&c->lock);
}

wn__slot *wn__crew_wait(wn__crew *c) {
    wn__slot *s = &c->slots[c->first % c->nslots];
    piece p;
    pthread_mutex_lock(&c->lock);
    while (s->unfinished > 0) {
        if (take_from(c, s, &p))
            run_piece(c, &p);
        else
            pthread_cond_wait(&c->done, &c->lock);
    }
    pthread_mutex_unlock(&c->lock);
    return s;
}

void wn__crew_take(wn__crew *c) {
    drop_tensors(&c->slots[c->first % c->nslots]);
    pthread_mutex_lock(&c->lock);
    c->first++;
    pthread_mutex_unlock(&c->lock);
}

void wn__crew_clear(wn__crew *c) {
    pthread_mutex_lock(&c->lock);
    atomic_store_explicit(&c->cancel, true, memory_order_relaxed);
    for (int64_t k = c->first; k < c->end; k++) {
        wn__slot *s = &c->slots[k % c->nslots];
        s->unfinished -= s->size - s->next;
        s->next = s->size;
    }
    for (int64_t k = c->first; k < c->end; k++)
        while (c->slots[k % c->nslots].unfinished > 0) pthread_cond_wait(&c->done, &c->lock);
    c->first = c->end = 0;
    atomic_store_explicit(&c->cancel, false, memory_order_relaxed);
    pthread_mutex_unlock(&c->lock);
    for (int i = 0; c->slots && i < c->nslots; i++) drop_tensors(&c->slots[i]);
}

double wn__crew_worked(wn__crew *c) {
    pthread_mutex_lock(&c->lock);
    double worked = c->worked;
    pthread_mutex_unlock(&c->lock);
    return worked;
}
