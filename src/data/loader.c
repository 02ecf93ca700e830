/* Loaders: which samples, in which order, in which batch; the crew fills them. */
#include <limits.h>
#include "base/alloc.h"
#include "base/dtype.h"
#include "tensor/rng.h"
#include "base/thread.h"
#include "data/crew.h"
#include "io/pack.h"

enum { MOST_WORKERS = 256, MOST_PREFETCH = 4096, USUAL_PREFETCH = 2 };

struct wn_loader {
    wn_dataset *dataset;
    int64_t batch_size, batches, count; /* count: samples in an epoch */
    bool shuffle;
    int workers, ahead;      /* ahead: batches that are made before they are asked for */
    int64_t *indices;        /* NULL: all samples */
    int64_t *order;          /* of the epoch; NULL: not shuffled */
    wn_generator *generator; /* for orders; reseeded for each epoch */
    bool as_torch;           /* WINNOW_RNG=torch, no seed given: orders as PyTorch's DataLoader draws them */
    wn_generator *source;    /* as_torch: where each epoch's seed comes from; at.seed = 0: not drawn yet */
    wn_position at;          /* the next batch */
    bool begun;              /* the order is that of at.epoch, batches may be in the making */
    bool manned;             /* the crew exists */
    wn__crew crew;
    wn_tensor *current[WN_MAX_PARTS]; /* the caller's batch, owned */
    int64_t *current_index;
    wn_loader_stats stats;
};

/* ------------------------------------------------------------------ making one */

static bool check_args(const char *op, const wn_loader_args *args) {
    if (!args->dataset) return wn__fail(WN_E_VALUE, op, "no dataset given"), false;
    if (args->batch_size <= 0 || args->batch_size > INT64_MAX / 64)
        return wn__fail(WN_E_VALUE, op, "batch_size is %lld", (long long)args->batch_size), false;
    if (args->workers < 0 || args->workers > MOST_WORKERS)
        return wn__fail(WN_E_VALUE, op, "workers is %d; it goes from 0 to %d", args->workers, MOST_WORKERS), false;
    if (args->prefetch < 0 || args->prefetch > MOST_PREFETCH)
        return wn__fail(WN_E_VALUE, op, "prefetch is %d; it goes from 0 to %d", args->prefetch, MOST_PREFETCH), false;
    return true;
}

static bool copy_indices(wn_loader *l, const char *op, const wn_tensor *t) {
    if (!wn_ok(t) || t->dtype != WN_I64 || t->ndim != 1)
        return wn__fail(WN_E_TYPE, op, "indices must be i64 [n], not %s", wn__desc(t)), false;
    l->count = t->numel;
    l->indices = wn__new(int64_t, (size_t)(t->numel ? t->numel : 1));
    if (!l->indices) return wn__fail_memory(op), false;
    const char *data = wn__ptr(t);
    if (t->numel && !data) return wn__fail(WN_E_RUNTIME, op, "indices has no data"), false;
    wn__pack(t, data, 0, t->numel, l->indices);
    for (int64_t i = 0; i < t->numel; i++) {
        if (l->indices[i] >= 0 && l->indices[i] < l->dataset->count) continue;
        wn__fail(WN_E_INDEX, op, "indices[%lld] is %lld, the dataset has %lld samples", (long long)i,
                 (long long)l->indices[i], (long long)l->dataset->count);
        return false;
    }
    return true;
}

/* Drawn only where it can matter: making a loader that depends on no seed leaves the generator alone. */
static void choose_seed(wn_loader *l, const wn_loader_args *args) {
    int64_t drawn = 0;
    l->at.seed = args->seed;
    if (args->seed || !(args->shuffle || l->dataset->get)) return;
    l->as_torch = args->shuffle && wn__generator_kind(args->generator) == WN__RNG_TORCH;
    l->source = args->generator;
    if (l->as_torch) return;
    wn__random_integers(args->generator, WN_I64, &drawn, 1, 1, INT64_MAX);
    l->at.seed = (uint64_t)drawn;
}

static bool set_up(wn_loader *l, const char *op, const wn_loader_args *args) {
    l->dataset = wn__dataset_retain(args->dataset);
    l->count = l->dataset->count;
    if (args->indices && !copy_indices(l, op, args->indices)) return false;
    l->batch_size = args->batch_size;
    /* The array of a batch need not be longer than the epoch. */
    if (l->batch_size > l->count && !args->drop_last && l->count > 0) l->batch_size = l->count;
    l->batches = l->count / l->batch_size + (!args->drop_last && l->count % l->batch_size ? 1 : 0);
    l->workers = args->workers;
    l->ahead = args->workers == 0 ? 0 : args->prefetch ? args->prefetch : USUAL_PREFETCH;
    l->shuffle = args->shuffle;
    choose_seed(l, args);
    if (l->batches == 0) return true;
    l->current_index = wn__new(int64_t, (size_t)l->batch_size);
    if (l->current_index && args->shuffle) {
        l->order = wn__new(int64_t, (size_t)l->count);
        l->generator = wn_generator_new(0);
    }
    bool ok = l->current_index && (!args->shuffle || (l->order && l->generator));
    if (!ok) wn__fail_memory(op);
    return ok;
}

wn_loader *wn_loader_new_x(const wn_loader_args *args) {
    static const char op[] = "loader_new";
    if (!check_args(op, args)) return NULL;
    wn_loader *l = wn__new(wn_loader, 1);
    if (!l) return wn__fail_memory(op), NULL;
    if (set_up(l, op, args)) return l;
    wn_loader_free(l);
    return NULL;
}

static void drop_current(wn_loader *l) {
    for (int p = 0; p < WN_MAX_PARTS; p++) {
        wn__release(l->current[p]);
        l->current[p] = NULL;
    }
}

void wn_loader_free(wn_loader *l) {
    if (!l) return;
    if (l->manned) wn__crew_stop(&l->crew);
    drop_current(l);
    wn_dataset_free(l->dataset);
    wn_generator_free(l->generator);
    wn__free(l->indices);
    wn__free(l->order);
    wn__free(l->current_index);
    wn__free(l);
}

/* ------------------------------------------------------------------ batches */

static const char next_op[] = "next";

static bool begin_epoch(wn_loader *l) {
    if (!l->manned) {
        int slots = l->ahead > 1 ? l->ahead : 1;
        if (slots > l->batches) slots = (int)l->batches;
        if (!wn__crew_start(&l->crew, next_op, l->dataset, l->workers, slots, l->batch_size)) return false;
        l->manned = true;
    }
    if (l->as_torch && !l->at.seed) { /* two draws when an epoch begins: one for the workers, one for the sampler */
        int64_t drawn[2];
        for (int i = 0; i < 2; i++) wn__random_any(l->source, WN_I64, &drawn[i], 1);
        l->at.seed = (uint64_t)drawn[1];
    }
    if (l->shuffle) {
        wn_generator_seed(l->generator, l->as_torch ? l->at.seed : wn__mix_seed(l->at.seed, (uint64_t)l->at.epoch));
        wn__random_permutation(l->generator, l->order, l->count);
    }
    wn__crew_begin(&l->crew, l->at.batch);
    l->begun = true;
    return true;
}

static void prepare(const wn_loader *l, wn__slot *s, int64_t number) {
    int64_t start = number * l->batch_size;
    s->number = number;
    s->size = l->count - start < l->batch_size ? l->count - start : l->batch_size;
    s->seed = wn__mix_seed(l->at.seed, ~(uint64_t)l->at.epoch); /* other streams than the order's */
    for (int64_t i = 0; i < s->size; i++) {
        int64_t k = l->order ? l->order[start + i] : start + i;
        s->index[i] = l->indices ? l->indices[k] : k;
    }
}

/* Keeps the ring full, or at least one batch in it when nobody works ahead. */
static void refill(wn_loader *l, int64_t at_least) {
    wn__slot *s;
    int64_t want = l->at.batch + (l->ahead > at_least ? l->ahead : at_least);
    while (l->crew.end < l->batches && l->crew.end < want && (s = wn__crew_free_slot(&l->crew)) != NULL) {
        prepare(l, s, l->crew.end);
        wn__crew_put(&l->crew, s);
    }
}

static void hand_over(wn_loader *l, wn__slot *s, wn_batch *batch) {
    int64_t *index = l->current_index;
    l->current_index = s->index; /* the caller may look at it until the next call; the slot goes on with the other array */
    s->index = index;
    for (int p = 0; p < l->dataset->nparts; p++) {
        l->current[p] = s->part[p];
        s->part[p] = NULL;
    }
    batch->parts = (wn_list){.n = l->dataset->nparts, .v = l->current};
    batch->x = l->current[0];
    batch->y = l->current[1];
    batch->size = s->size;
    batch->indices = l->current_index;
    batch->number = s->number;
    batch->epoch = l->at.epoch;
    l->stats.batches++;
    l->stats.samples += s->size;
}

static void report(const wn_loader *l, const wn__slot *s) {
    const wn__misfortune *m = &s->trouble;
    if (m->code == WN_E_MEMORY && !s->part[0]) {
        wn__fail(WN_E_MEMORY, next_op, "out of memory for batch %lld of epoch %lld (%lld samples)", (long long)s->number,
                 (long long)l->at.epoch, (long long)s->size);
        return;
    }
    wn__fail(m->code, next_op, "sample %lld (position %lld of batch %lld, epoch %lld): %s", (long long)s->index[m->position],
             (long long)m->position, (long long)s->number, (long long)l->at.epoch, m->why);
}

/* The epoch is over, or left: what is in the making is dropped. */
static void end_epoch(wn_loader *l) {
    if (l->begun && l->crew.end > l->crew.first) wn__crew_clear(&l->crew);
    l->begun = false;
}

static bool usable(const wn_loader *l) {
    if (!l) return wn__fail(WN_E_VALUE, next_op, "no loader given"), false;
    if (!l->manned || !wn__crew_lost(&l->crew)) return true;
    wn__fail(WN_E_RUNTIME, next_op, "the loader was made before fork: its threads are not in this process; make a new one");
    return false;
}

bool wn_next(wn_loader *l, wn_batch *batch) {
    if (!batch) return wn__fail(WN_E_VALUE, next_op, "no place for the batch given"), false;
    memset(batch, 0, sizeof *batch);
    if (wn_error() != WN_OK || !usable(l)) return false;
    drop_current(l); /* first: the next batch may be made in its memory */
    if (l->at.batch >= l->batches) {
        end_epoch(l);
        l->at.epoch++;
        if (l->as_torch) l->at.seed = 0;
        l->at.batch = 0;
        return false;
    }
    if (!l->begun && !begin_epoch(l)) return false;
    double start = wn__seconds();
    refill(l, 1);
    wn__slot *s = wn__crew_wait(&l->crew);
    l->stats.waited += wn__seconds() - start;
    bool ok = s->trouble.position < 0;
    if (ok)
        hand_over(l, s, batch);
    else
        report(l, s);
    l->at.batch++;
    wn__crew_take(&l->crew);
    if (l->ahead) refill(l, 0);
    return ok;
}

/* ------------------------------------------------------------------ moving around */

int64_t wn_loader_batches(const wn_loader *l) { return l ? l->batches : 0; }

wn_position wn_loader_tell(const wn_loader *l) { return l ? l->at : (wn_position){0, 0, 0}; }

wn_status wn_loader_seek(wn_loader *l, wn_position position) {
    static const char op[] = "loader_seek";
    if (!l) return wn__fail(WN_E_VALUE, op, "no loader given");
    if (position.epoch < 0 || position.batch < 0 || position.batch > l->batches)
        return wn__fail(WN_E_VALUE, op, "there is no batch %lld in epoch %lld", (long long)position.batch,
                        (long long)position.epoch);
    if (l->manned && wn__crew_lost(&l->crew)) return wn__fail(WN_E_RUNTIME, op, "the loader was made before fork");
    end_epoch(l);
    l->at = position;
    return WN_OK;
}

void wn_loader_reset(wn_loader *l) {
    if (!l || l->at.batch == 0 || (l->manned && wn__crew_lost(&l->crew))) return;
    end_epoch(l);
    l->at.epoch++;
    if (l->as_torch) l->at.seed = 0;
    l->at.batch = 0;
}

wn_loader_stats wn_loader_get_stats(wn_loader *l) {
    if (!l) return (wn_loader_stats){0, 0, 0, 0};
    wn_loader_stats stats = l->stats;
    if (l->manned && !wn__crew_lost(&l->crew)) stats.worked = wn__crew_worked(&l->crew);
    return stats;
}
