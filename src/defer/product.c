/* Products that wait for their readers. The call is kept and runs when its result is wanted, together with what follows
 * it (bias, activation, residual, mask, cast) in one pass over memory. */
#include "defer/value.h"
#include "base/alloc.h"

typedef struct product {
    const wn_op *op;
    int nin;
    wn_tensor in[WN__MAX_USES], out;     /* geometry of the operands and the result; the storages are kept below */
    wn__storage memory[WN__MAX_USES + 1];
    wn_tensor *list[WN__MAX_USES];
    char args[];
} product;

bool wn__product_may_wait(const wn__call *c) {
    if (wn__defer_threshold() == INT64_MAX || c->nin > WN__MAX_USES || c->op->has_list) return false;
    for (int i = 0; i < c->nin; i++)
        if (c->in[i] && !wn__may_defer(c->in[i])) return false;
    return true;
}

bool wn__product_waits(wn_dtype dtype, int ndim, const int64_t *shape) {
    bool overflow;
    const int64_t n = wn__numel_of(ndim, shape, &overflow);
    return (dtype == WN_F32 || dtype == WN_F64) && !overflow && n >= wn__defer_threshold() && n <= WN__MOST_ELEMENTS;
}

/* Makes `to` a private handle like `of` on `memory`; since nobody else sees it, no reference is counted. */
static void shadow(wn_tensor *to, const wn_tensor *of, wn__storage *memory) {
    *to = *of;
    atomic_store_explicit(&to->refs, (uint64_t)1 << 20, memory_order_relaxed);
    to->grad = NULL;
    to->storage = memory;
    memset(memory, 0, sizeof *memory);
    atomic_store_explicit(&memory->refs, 1 << 20, memory_order_relaxed);
    memory->bytes = of->storage->bytes;
}

/* Estimates work: multiply-adds times their cost, if each result element reads its share of the largest operand. */
static double work_of(const wn__call *c) {
    double most = 0;
    for (int i = 0; i < c->nin; i++) {
        double n = c->in[i] ? (double)c->in[i]->numel : 0;
        most = n > most ? n : most;
    }
    double out = (double)c->out[0]->numel, inner = most / out > 1 ? most / out : 1;
    return 0.2 * out * (inner > 16 ? inner : 16);
}

static product *keep_call(wn__call *c) {
    const wn_op *op = c->op;
    product *p = wn__calloc(1, sizeof *p + op->args_size);
    if (!p) return NULL;
    p->op = op;
    p->nin = c->nin;
    memcpy(p->args, c->args, op->args_size);
    for (int i = 0; i < c->nin; i++) {
        const wn_field *f = &op->fields[op->tensors[i]];
        if (!c->in[i]) continue;
        shadow(&p->in[i], c->in[i], &p->memory[i]);
        p->list[i] = &p->in[i];
        if (f->kind == WN_K_TENSOR) *(wn_tensor **)(void *)(p->args + f->offset) = &p->in[i];
        else *(wn_val *)(void *)(p->args + f->offset) = wn_val_of_tensor(&p->in[i]);
    }
    if (op->out_offset) *(wn_tensor **)(void *)(p->args + op->out_offset) = NULL;
    shadow(&p->out, c->out[0], &p->memory[WN__MAX_USES]);
    return p;
}

wn_status wn__product_record(wn__call *c) {
    wn_tensor *y = c->out[0];
    wn__defer_lock();
    wn__value *v = wn__value_new(WN__V_PRODUCT, (wn_dtype)y->dtype, y->numel);
    bool ok = v && (v->product = keep_call(c));
    if (v) v->op = c->op;
    int depth = 0;
    for (int i = 0; i < c->nin && ok; i++) {
        wn__use *u = &v->uses[v->nuses];
        if (!c->in[i]) continue;
        *u = (wn__use){.kind = WN__U_VIEW, .dtype = c->in[i]->dtype, .ndim = WN__USE_OPAQUE, .number = i};
        wn__value *src = wn__value_of(c->in[i]->storage);
        if (!(ok = src != NULL)) break;
        v->nuses++;
        wn__value_link(v, v->nuses - 1, src);
        if (src->state == WN__V_PENDING && src->depth + 1 > depth) depth = src->depth + 1;
        if (src->state == WN__V_PENDING) v->work += src->work;
        wn__value_unref(src);
    }
    if (ok) {
        v->cone = v->leaves = 1;
        v->wide = true;
        v->depth = (uint8_t)(depth < 255 ? depth : 255);
        v->work += work_of(c);
        ok = wn__limit_cone(v);
    }
    if (ok) {
        wn__value_publish(v, y);
    }
    if (v) wn__value_unref(v);
    wn__defer_unlock();
    return ok ? WN_OK : c->th->error ? c->th->error : wn__fail_memory(c->op->name);
}

void wn__product_free(wn__value *v) {
    wn__free(v->product);
    v->product = NULL;
}

/* Gives the shadow of an operand its memory, and what is known of that memory's zeros. */
static void hand_memory(wn__storage *to, const wn__storage *from) {
    to->data = from->data;
    to->fact = from->fact;
    atomic_store_explicit(&to->finite_at, atomic_load_explicit(&from->finite_at, memory_order_relaxed), memory_order_relaxed);
    to->finite_as = from->finite_as;
    to->exposed = from->exposed;
    to->counters = from->counters & WN__MARKS;
    atomic_store_explicit(&to->version, atomic_load(&from->version), memory_order_relaxed);
    atomic_store_explicit(&to->uncounted, atomic_load(&from->uncounted), memory_order_relaxed);
}

wn_status wn__product_run(wn__value *v, void *to, wn__sink *sink) {
    product *p = v->product;
    wn__call c;
    wn__call_begin(&c);
    c.op = p->op, c.args = p->args;
    c.th = wn__self();
    c.in = p->list, c.nin = p->nin;
    c.inplace = c.any_grad = false;
    c.target = &p->out;
    c.sink = sink;
    for (int i = 0; i < v->nuses; i++) hand_memory(&p->memory[v->uses[i].number], v->uses[i].src->store);
    p->memory[WN__MAX_USES].data = to;
    wn_status st = p->op->infer(&c);
    if (!st) st = p->op->fn(&c);
    wn__plan_drop(&c);
    if (c.out[0] && c.out[0] != &p->out) { /* cannot happen: the result's geometry is the row's own */
        wn__release(c.out[0]);
        st = st ? st : wn__fail(WN_E_RUNTIME, p->op->name, "the result changed its shape");
    }
    return st;
}
