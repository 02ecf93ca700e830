/* A call of an operation on its way through dispatch. */
#ifndef WN_TABLE_CALL_H
#define WN_TABLE_CALL_H
#include "base/alloc.h"
#include "base/thread.h"
#include "table/op.h"

/* What follows a product in the same pass over memory: it is called with finished elements begin .. begin + n - 1 of
 * the row-major result, in the accumulator's type, while they are in registers or L1, and may change them. */
enum { WN__PIECE_LEAST = 32 }; /* shorter ones cost more than another pass over memory: wn_stats counts them */
typedef struct wn__sink {
    void (*piece)(struct wn__sink *s, int64_t begin, int64_t n, void *acc);
} wn__sink;

struct wn__call {
    const wn_op *op;
    wn__thread *th;
    const void *args;
    wn_tensor *out[WN_MAX_RESULTS]; /* owned results */
    int nout;
    wn_tensor **list;               /* results of a row with nresults = -1: nlist owned references, wn__calloc'ed */
    int64_t nlist;
    wn_tensor *target;              /* in place: the tensor to write; out=: the caller's tensor; NULL: allocate */
    bool inplace;
    bool any_grad;                  /* some input has autograd state */
    bool meta;                      /* results are on the meta device: they are declared only (call/meta.c) */
    wn_status status;
    bool row_major;                 /* set by fn: the results lie row by row this time, whatever .layout says */
    bool may_wait;                  /* set by .infer: .run may leave the result pending, or wn__give another one */
    bool unfilled;                  /* wn__result made a result that has no memory yet */
    bool later;                     /* a product's result stays pending: .run is not called now */
    wn__sink *sink;                 /* for a product that runs now; NULL: none */
    void *plan;                     /* what .infer leaves for .run (wn__plan); NULL: nothing */
    /* tensor arguments, flattened from the fields; numbers and absent ones are NULL */
    wn_tensor **in;
    int nin;
    wn_tensor *in_few[8];
    size_t plan_capacity;           /* of the plan's own block; 0: it lies in plan_few */
    _Alignas(16) char plan_few[2432]; /* most plans fit: LAPACK's jobs, the bits of small masks */
};

/* Makes results, target and plan empty; the caller sets th, op, args and inplace. */
static inline void wn__call_begin(wn__call *c) {
    for (int i = 0; i < WN_MAX_RESULTS; i++) c->out[i] = NULL;
    c->list = NULL;
    c->nlist = 0;
    c->target = NULL;
    c->meta = c->row_major = c->may_wait = c->unfilled = c->later = false;
    c->sink = NULL;
    c->plan = NULL;
    c->plan_capacity = 0;
    c->in = c->in_few;
}
static inline void wn__plan_drop(wn__call *c) {
    if (__builtin_expect(c->plan_capacity != 0, 0)) wn__data_free(c->plan, c->plan_capacity);
}

#define wn__fail_op(c, code, ...) wn__fail((code), (c)->op->name, __VA_ARGS__)
#endif
