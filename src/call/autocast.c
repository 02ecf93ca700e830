/* Autocast. A row's .autocast is torch.autocast's policy for it on CPU ("CPU Ops that can autocast to ..."). */
#include "call/autocast.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "grad/tape.h"

bool wn__autocasts(const wn__call *c) {
    if (c->inplace || c->op->autocast == WN__AUTOCAST_KEEP) return false;
    return !c->op->out_offset || !*(wn_tensor *const *)(const void *)((const char *)c->args + c->op->out_offset);
}

typedef struct kept {
    wn_tensor *of, *as;
    uint32_t version;
} kept;
struct wn__casts {
    int n, capacity;
    kept v[];
};

void wn__autocast_forget(wn__thread *th) {
    struct wn__casts *c = th->casts;
    th->casts = NULL;
    for (int i = 0; c && i < c->n; i++) {
        wn__release(c->v[i].of);
        wn__release(c->v[i].as);
    }
    free(c);
}

static bool worth_keeping(const wn__thread *th, const wn_tensor *t) {
    return !(th->modes & WN__MODE_AUTOCAST_FRESH) && wn__needs_grad(t) && wn_is_leaf(t) && t->dtype == WN_F32 && wn__recording(th);
}

static wn_tensor *find(wn__thread *th, const wn_tensor *t, wn_dtype d) {
    struct wn__casts *c = th->casts;
    uint32_t version = wn__changes(t);
    for (int i = 0; c && i < c->n; i++) {
        kept *k = &c->v[i];
        if (k->of != t || (wn_dtype)k->as->dtype != d) continue;
        if (k->version == version) return k->as;
        wn__release(k->of); /* it has changed since */
        wn__release(k->as);
        *k = c->v[--c->n];
        return NULL;
    }
    return NULL;
}

static void keep(wn__thread *th, wn_tensor *t, wn_tensor *as) {
    struct wn__casts *c = th->casts;
    if (!c || c->n == c->capacity) {
        int capacity = c ? 2 * c->capacity : 32;
        c = realloc(th->casts, sizeof *c + (size_t)capacity * sizeof *c->v);
        if (!c) return; /* it will be converted again next time */
        if (!th->casts) c->n = 0;
        c->capacity = capacity;
        th->casts = c;
        th->give_back[WN__GIVES_CASTS] = wn__autocast_forget;
    }
    c->v[c->n++] = (kept){wn__retain(t), wn__retain(as), wn__changes(t)};
}

/* Does autocast concern t? The policy is that of the CPU. */
static bool eligible(const wn_tensor *t) { return wn_ok(t) && wn__is_float(t->dtype) && t->dtype != WN_F64 && !wn__is_meta(t); }

static wn_tensor *converted(wn__thread *th, wn_tensor *t, wn_dtype d) {
    if (!eligible(t) || (wn_dtype)t->dtype == d) return t;
    if (d == WN_F32 || !worth_keeping(th, t)) return wn_cast(t, d);
    wn_tensor *as = find(th, t, d);
    if (as) return as;
    as = wn_cast(t, d);
    if (wn_ok(as)) keep(th, t, as);
    return as;
}

/* The dtype that eligible operands are converted to. */
static wn_dtype target(const wn__call *c, const wn__thread *th) {
    if (c->op->autocast == WN__AUTOCAST_NARROW) return wn__autocast_dtype(th);
    if (c->op->autocast == WN__AUTOCAST_FLOAT32) return WN_F32;
    wn_dtype d = wn__autocast_dtype(th);
    for (int i = 0; i < c->op->ntensors; i++) {
        const wn_field *f = &c->op->fields[c->op->tensors[i]];
        const char *at = (const char *)c->args + f->offset;
        const wn_list *l = (const void *)at;
        wn_tensor *const *one = (const void *)at;
        int64_t n = f->kind == WN_K_TENSORS ? l->n : f->kind == WN_K_TENSOR;
        for (int64_t k = 0; k < n; k++) {
            const wn_tensor *t = f->kind == WN_K_TENSORS ? l->v[k] : *one;
            if (t && eligible(t)) d = wn__promote(d, (wn_dtype)t->dtype);
        }
    }
    return d;
}

static wn_status run_autocast(wn__call *c, char *args, wn_dtype d) {
    wn__thread *th = c->th;
    wn_tensor **lists[12] = {NULL};
    wn_status st = WN_OK;
    for (int i = 0; i < c->op->ntensors && !st; i++) {
        const wn_field *f = &c->op->fields[c->op->tensors[i]];
        char *at = args + f->offset;
        if (f->kind == WN_K_TENSOR) {
            wn_tensor **t = (wn_tensor **)(void *)at;
            if (*t && !wn_ok(*t = converted(th, *t, d))) st = th->error;
        } else if (f->kind == WN_K_TENSORS) {
            wn_list *l = (wn_list *)(void *)at;
            if (l->n <= 0 || !l->v) continue;
            if (!(lists[i] = wn__new(wn_tensor *, (size_t)l->n))) st = wn__fail_memory(c->op->name);
            for (int64_t k = 0; k < l->n && !st; k++)
                if ((lists[i][k] = l->v[k]) && !wn_ok(lists[i][k] = converted(th, l->v[k], d))) st = th->error;
            l->v = lists[i];
        } else if (f->kind == WN_K_VALUE && ((wn_val *)(void *)at)->kind == WN_VAL_TENSOR) {
            wn_val *v = (wn_val *)(void *)at;
            if (!wn_ok(v->u.t = converted(th, v->u.t, d))) st = th->error;
        }
    }
    if (!st) {
        const void *original = c->args;
        c->args = args;
        th->modes &= ~(uint32_t)WN__MODE_AUTOCAST; /* what the row calls keeps the dtypes chosen here */
        st = wn__dispatch(c);
        c->args = original;
    }
    for (int i = 0; i < 12; i++) wn__free(lists[i]);
    return st;
}

wn_status wn__autocast(wn__call *c) {
    wn_scope s = wn_begin(); /* restores the mode and frees the converted operands */
    char *args = s.serial ? wn__new(char, c->op->args_size) : NULL;
    wn_status st = WN_OK;
    if (!args) {
        st = s.serial ? wn__fail_memory(c->op->name) : c->th->error;
    } else {
        memcpy(args, c->args, c->op->args_size);
        st = run_autocast(c, args, target(c, c->th));
    }
    wn__free(args);
    wn_end(&s);
    return st;
}

void wn_clear_autocast_cache(void) { wn__autocast_forget(wn__self()); }
