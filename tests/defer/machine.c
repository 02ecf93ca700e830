/* Pool, log and calls of the random programs. SPDX-License-Identifier: Apache-2.0 */
#include "call/dispatch.h" /* where a row has its out= */
#include "machine.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/thread.h"

uint64_t rnd(machine *m) { /* splitmix64 */
    uint64_t z = m->rng += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
int64_t below(machine *m, int64_t n) { return n > 0 ? (int64_t)(rnd(m) % (uint64_t)n) : 0; }
bool chance(machine *m, int percent) { return below(m, 100) < percent; }
double uniform(machine *m, double lo, double hi) { return lo + (hi - lo) * ((double)(rnd(m) >> 11) * 0x1p-53); }

int64_t dims_numel(const wn_dims *d) {
    int64_t n = 1;
    for (int i = 0; i < d->n; i++) n *= d->v[i];
    return n;
}

/* ------------------------------------------------------------------ the log */

void note(machine *m, const char *format, ...) {
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(m->line + m->length, sizeof m->line - m->length, format, list);
    va_end(list);
    if (n > 0) m->length = m->length + (size_t)n < sizeof m->line ? m->length + (size_t)n : sizeof m->line - 1;
}

/* NaN is NaN, whatever its sign and payload. */
static void same_nans(unsigned char *bytes, int64_t n, wn_dtype dtype) {
    for (int64_t i = 0; i < n; i++) {
        uint16_t h;
        float f;
        double d;
        switch (dtype) {
        case WN_F32: memcpy(&f, bytes + i * 4, 4); if (isnan(f)) memcpy(bytes + i * 4, "\0\0\xc0\x7f", 4); break;
        case WN_F64: memcpy(&d, bytes + i * 8, 8); if (isnan(d)) memcpy(bytes + i * 8, "\0\0\0\0\0\0\xf8\x7f", 8); break;
        case WN_F16: memcpy(&h, bytes + i * 2, 2); if ((h & 0x7fff) > 0x7c00) memcpy(bytes + i * 2, "\0\x7e", 2); break;
        case WN_BF16: memcpy(&h, bytes + i * 2, 2); if ((h & 0x7fff) > 0x7f80) memcpy(bytes + i * 2, "\xc0\x7f", 2); break;
        default: return;
        }
    }
}

static void print_element(char *to, size_t room, const unsigned char *at, wn_dtype dtype) {
    float f;
    double d;
    uint16_t h;
    int64_t v = 0;
    switch (dtype) {
    case WN_F32: memcpy(&f, at, 4); snprintf(to, room, "%.9g", (double)f); return;
    case WN_F64: memcpy(&d, at, 8); snprintf(to, room, "%.17g", d); return;
    case WN_F16: memcpy(&h, at, 2); snprintf(to, room, "f16 0x%04x", h); return;
    case WN_BF16: memcpy(&h, at, 2); h = (uint16_t)h; { const uint32_t w = (uint32_t)h << 16; memcpy(&f, &w, 4); } snprintf(to, room, "%.9g", (double)f); return;
    default: memcpy(&v, at, wn_dtype_size(dtype)); snprintf(to, room, "0x%llx", (unsigned long long)v);
    }
}

static void differ(machine *m, const item *a, const item *b) {
    if (m->different) return;
    m->different = true;
    if (!a || strcmp(a->text, b->text) || a->size != b->size || a->dtype != b->dtype) {
        snprintf(m->why, m->why_size, "step %d\n    immediate: %s\n    deferred:  %s", b->step, a ? a->text : "(nothing)", b->text);
        return;
    }
    const size_t size = wn_dtype_size(a->dtype);
    size_t i = 0, wrong = 0, first = 0;
    for (; i < a->size / size; i++)
        if (memcmp(a->bytes + i * size, b->bytes + i * size, size) && !wrong++) first = i;
    char x[48], y[48];
    print_element(x, sizeof x, a->bytes + first * size, a->dtype);
    print_element(y, sizeof y, b->bytes + first * size, b->dtype);
    snprintf(m->why, m->why_size, "step %d, %s: %zu of %zu elements differ, the first is number %zu: immediate %s, deferred %s", b->step, b->text, wrong,
             a->size / size, first, x, y);
}

static void log_item(machine *m, const char *text, unsigned char *bytes, size_t size, wn_dtype dtype) {
    item now = {m->step, (char *)text, bytes, size, dtype};
    history *h = m->log;
    if (m->deferred) {
        const item *then = m->at < h->n ? &h->v[m->at] : NULL;
        m->at++;
        if (!then || then->step != now.step || strcmp(then->text, text) || then->size != size || then->dtype != dtype || (size && memcmp(then->bytes, bytes, size)))
            differ(m, then, &now);
        free(bytes);
        return;
    }
    if (h->n == h->room) {
        h->room = h->room ? 2 * h->room : 64;
        h->v = realloc(h->v, (size_t)h->room * sizeof *h->v);
        if (!h->v) abort();
    }
    now.text = strdup(text);
    h->v[h->n++] = now;
}

void show_bytes(machine *m, const char *name, const void *bytes, int64_t n, wn_dtype dtype) {
    const size_t size = (size_t)n * wn_dtype_size(dtype);
    unsigned char *copy = malloc(size + 1);
    if (!copy) abort();
    if (size) memcpy(copy, bytes, size);
    same_nans(copy, n, dtype);
    log_item(m, name, copy, size, dtype);
}

void show(machine *m, const char *name, wn_tensor *t) {
    const wn_dtype dtype = wn_dtype_of(t);
    const size_t size = (size_t)wn_numel(t) * wn_dtype_size(dtype);
    unsigned char *bytes = malloc(size + 1);
    if (!bytes) abort();
    if (wn_to_memory(t, bytes, size, dtype) != WN_OK) {
        char text[300];
        snprintf(text, sizeof text, "%s: cannot be read: %s", name, wn_error_message());
        wn_clear();
        free(bytes);
        log_item(m, text, NULL, 0, 0);
        return;
    }
    same_nans(bytes, wn_numel(t), dtype);
    log_item(m, name, bytes, size, dtype);
}

void describe(machine *m, const wn_tensor *t) {
    const wn_dims shape = wn_shape(t), strides = wn_strides(t);
    note(m, " %s[", wn_dtype_name(wn_dtype_of(t)));
    for (int i = 0; i < shape.n; i++) note(m, "%s%lld", i ? "," : "", (long long)shape.v[i]);
    note(m, "]");
    if (!wn_is_contiguous(t)) {
        note(m, " strides ");
        for (int i = 0; i < strides.n; i++) note(m, "%s%lld", i ? "," : "", (long long)strides.v[i]);
    }
    if (wn_storage_offset(t)) note(m, " at %lld", (long long)wn_storage_offset(t));
    note(m, " v%u%s", wn_version(t), wn_is_leaf(t) ? wn_needs_grad(t) ? " leaf" : "" : " of ");
    if (!wn_is_leaf(t)) note(m, "%s", wn_grad_fn(t) ? wn_grad_fn(t) : "?");
}

/* ------------------------------------------------------------------ the pool */

void forget(machine *m, int i) {
    slot *s = &m->pool[i];
    if (s->t && s->kept) wn_drop(s->t);
    else if (s->t && s->depth == m->depth && chance(m, 50)) wn_done(s->t);
    s->t = NULL;
}

int put(machine *m, wn_tensor *owned) {
    int i = (int)below(m, SLOTS);
    for (int k = 0; k < 3 && m->pool[i].t; k++) i = (int)below(m, SLOTS); /* free ones rather than others */
    forget(m, i);
    const bool kept = chance(m, 25);
    m->pool[i] = (slot){kept ? owned : wn__lend(wn__self(), owned), kept, m->depth};
    return i;
}

int pick(machine *m, choice ok, const void *with) {
    const int start = (int)below(m, SLOTS);
    for (int k = 0; k < SLOTS; k++) {
        const int i = (start + k) % SLOTS;
        if (m->pool[i].t && (!ok || ok(m, m->pool[i].t, with))) return i;
    }
    return -1;
}

bool is_float(machine *m, const wn_tensor *t, const void *with) {
    (void)m, (void)with;
    return wn_dtype_of(t) >= WN_F32 && wn_dtype_of(t) <= WN_BF16;
}
bool is_bool(machine *m, const wn_tensor *t, const void *with) { return wn_dtype_of(t) == WN_BOOL && (!with || fits(m, t, with)); }
bool has_dims(machine *m, const wn_tensor *t, const void *with) {
    (void)m;
    return wn_ndim(t) >= *(const int *)with;
}
bool wants_grad(machine *m, const wn_tensor *t, const void *with) {
    (void)m, (void)with;
    return wn_needs_grad(t);
}
bool fits(machine *m, const wn_tensor *t, const void *with) {
    (void)m;
    const wn_dims a = wn_shape(t), *b = with;
    const int na = a.n > 0 ? a.n : 0, nb = b->n > 0 ? b->n : 0;
    int64_t total = 1;
    for (int k = 1; k <= (na > nb ? na : nb); k++) {
        const int64_t x = k <= na ? a.v[na - k] : 1, y = k <= nb ? b->v[nb - k] : 1;
        if (x != y && x != 1 && y != 1) return false;
        total *= x == 1 ? y : x;
    }
    return total <= MOST;
}

bool same_shape(machine *m, const wn_tensor *t, const void *with) {
    (void)m;
    const wn_dims a = wn_shape(t), *b = with;
    return a.n == b->n && (a.n <= 0 || !memcmp(a.v, b->v, (size_t)a.n * sizeof a.v[0]));
}

/* ------------------------------------------------------------------ calls */

bool begin(machine *m, call *c, const char *name) {
    c->m = m;
    c->op = wn_op_find(name);
    if (!c->op || wn_op_args_size(c->op) > sizeof c->args) {
        note(m, "no row %s", name);
        return false;
    }
    memset(c->args, 0, sizeof c->args);
    const size_t size = wn_op_args_size(c->op);
    memcpy(c->args, &size, sizeof size);
    note(m, "%s(", wn_op_cname(c->op));
    return true;
}

static void *field(call *c, const char *name, wn_kind *kind) {
    int n;
    const wn_field *f = wn_op_fields(c->op, &n);
    for (int i = 0; i < n; i++)
        if (!strcmp(f[i].torch, name) || !strcmp(f[i].name, name)) {
            *kind = f[i].kind;
            return c->args + f[i].offset;
        }
    if (!strcmp(name, "out") && c->op->out_offset) {
        *kind = WN_K_TENSOR;
        return c->args + c->op->out_offset;
    }
    printf("%s has no argument %s\n", wn_op_signature(c->op), name);
    abort();
}

void pass_tensor(call *c, const char *name, int i) {
    wn_kind kind;
    void *at = field(c, name, &kind);
    if (kind == WN_K_VALUE) *(wn_val *)at = wn_val_of_tensor(c->m->pool[i].t);
    else *(wn_tensor **)at = c->m->pool[i].t;
    note(c->m, "%s=s%d, ", name, i);
}
void pass_number(call *c, const char *name, double v) {
    wn_kind kind;
    void *at = field(c, name, &kind);
    if (kind == WN_K_FLOAT) *(double *)at = v;
    else *(wn_val *)at = fabs(v) < 0x1p62 && v == (double)(int64_t)v ? wn_val_of_int((int64_t)v) : wn_val_of_float(v);
    note(c->m, "%s=%.9g, ", name, v);
}
void pass_int(call *c, const char *name, int64_t v) {
    wn_kind kind;
    void *at = field(c, name, &kind);
    if (kind == WN_K_INT) *(int64_t *)at = v;
    else if (kind == WN_K_BOOL) *(bool *)at = v != 0;
    else if (kind == WN_K_DTYPE) *(wn_dtype *)at = (wn_dtype)v;
    else if (kind == WN_K_SWITCH) *(wn_switch *)at = v ? WN_ON : WN_OFF;
    else *(wn_val *)at = wn_val_of_int(v);
    if (kind == WN_K_DTYPE) note(c->m, "%s=%s, ", name, wn_dtype_name((wn_dtype)v));
    else note(c->m, "%s=%lld, ", name, (long long)v);
}
void pass_dims(call *c, const char *name, const wn_dims *d) {
    wn_kind kind;
    *(wn_dims *)field(c, name, &kind) = *d;
    note(c->m, "%s=[", name);
    for (int i = 0; i < d->n; i++) note(c->m, "%s%lld", i ? "," : "", (long long)d->v[i]);
    note(c->m, "], ");
}
void pass_list(call *c, const char *name, const int *slots, int n) {
    wn_kind kind;
    note(c->m, "%s=[", name);
    for (int i = 0; i < n; i++) {
        c->many[i] = c->m->pool[slots[i]].t;
        note(c->m, "s%d ", slots[i]);
    }
    note(c->m, "], ");
    *(wn_list *)field(c, name, &kind) = (wn_list){.n = n, .v = c->many};
}

int finish(call *c, bool inplace) {
    wn_outs outs;
    int slots[WN_MAX_RESULTS], n = 0;
    machine *m = c->m;
    note(m, ")%s", inplace ? " in place" : "");
    const wn_status st = inplace ? wn_call_inplace(c->op, c->args, &outs) : wn_call(c->op, c->args, &outs);
    if (st != WN_OK) return -1;
    for (int64_t i = 0; i < outs.n && n < 3; i++) { /* first keep all: a slot that is taken may hold another result's storage */
        if (wn_numel(outs.v[i]) > MOST) continue;
        wn_keep(outs.v[i]);
        slots[n++] = (int)i;
    }
    wn_tensor *results[3] = {0};
    for (int k = 0; k < n; k++) results[k] = outs.v[slots[k]];
    wn_outs_drop(&outs);
    if (inplace) {
        note(m, " ->");
        describe(m, results[0]);
        wn_drop(results[0]);
        return 0;
    }
    for (int k = 0; k < n; k++) {
        slots[k] = put(m, results[k]);
        note(m, " -> s%d", slots[k]);
        if (m->pool[slots[k]].t == results[k]) describe(m, results[k]);
    }
    return n ? slots[0] : -1;
}
