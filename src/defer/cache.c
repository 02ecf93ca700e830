/* The program cache: decisions about plans, found by the plans' structure, so that the programs of a training step are
 * planned once. The key holds everything that decisions depend on: instructions, edges, layouts, sizes, who wants what.
 * Plans with folds, products or draws are not kept: that is large enough to be planned anew. */
#include "base/later.h"
#include "defer/plan.h"
#include "base/alloc.h"
#include "base/counters.h"

enum { KEY_MOST = 768 };
#if defined(WN_HOSTILE) && WN_HOSTILE
enum { ENTRIES = 1 };
#else
enum { ENTRIES = 64 };
#endif

struct wn__cached {
    uint64_t hash;
    int nwords;
    int n;                        /* members, in the program's order */
    uint16_t order[WN__PLAN_MOST]; /* their indices in the plan as it was gathered */
    bool store[WN__PLAN_MOST], optional[WN__PLAN_MOST];
    uint16_t leaf_member[WN__MAX_LEAVES]; /* the member and its use that each leaf of the program was made for */
    uint8_t leaf_use[WN__MAX_LEAVES];
    int64_t numbers[WN__MAX_LEAVES];
    wn__ready *ready;
    uint64_t words[];
};

static wn__cached *table[ENTRIES];
static uint64_t seen[ENTRIES]; /* by hash: plans that were not found. Only what comes again is kept */

typedef struct key {
    int n;
    bool full;
    uint64_t hash;
    uint64_t w[KEY_MOST];
    const wn__use *leaf[WN__MAX_LEAVES]; /* sources and numbers, each by the first use that reads it */
    int nleaves;
} key;

static void put(key *k, uint64_t x) {
    if (k->n == KEY_MOST) {
        k->full = true;
        return;
    }
    k->w[k->n++] = x;
    k->hash = wn__hash_with(k->hash, x);
}

static int leaf_number(key *k, const wn__use *u) {
    for (int i = 0; i < k->nleaves; i++) {
        const wn__use *o = k->leaf[i];
        if (o->kind == WN__U_NUMBER || u->kind == WN__U_NUMBER) {
            if (o->kind == u->kind && o->ct == u->ct && o->number == u->number) return i;
        } else if (o->src == u->src && (o->kind == WN__U_SAME ? 0 : o->offset) == (u->kind == WN__U_SAME ? 0 : u->offset)) {
            return i;
        }
    }
    if (k->nleaves == WN__MAX_LEAVES) {
        k->full = true;
        return 0;
    }
    k->leaf[k->nleaves] = u;
    return k->nleaves++;
}

static void put_use(key *k, const wn__use *u) {
    uint64_t at = wn__fusable(u) ? (uint64_t)u->src->index : 256 + (uint64_t)leaf_number(k, u);
    bool large = at >= 256 && u->kind != WN__U_NUMBER && u->src->store->bytes > WN__LARGE_BYTES;
    const uint64_t layout = u->kind == WN__U_NUMBER ? 0 : (uint64_t)u->dtype << 32 | (uint64_t)u->ndim << 48; /* none */
    put(k, at | (uint64_t)u->kind << 16 | (uint64_t)u->ct << 24 | (uint64_t)large << 40 | layout);
    if (at < 256 || u->kind == WN__U_NUMBER || u->kind == WN__U_SAME) return;
    for (int d = 0; d < u->ndim; d++) {
        put(k, (uint64_t)u->shape[d]);
        put(k, (uint64_t)u->strides[d]);
    }
}

/* The number of the leaf, from 1, whose memory v overwrites; 0: none. */
static int overwritten_leaf(const key *k, const wn__value *v) {
    for (int i = 0; i < k->nleaves && v->home && v->home->data; i++)
        if (k->leaf[i]->kind != WN__U_NUMBER && k->leaf[i]->src->store == v->home) return i + 1;
    return 0;
}

static bool make_key(const wn__plan *p, key *k) {
    k->n = k->nleaves = 0;
    k->full = false;
    k->hash = 0;
    put(k, (uint64_t)p->numel);
    put(k, (uint64_t)p->row);
    put(k, p->root->index | (uint64_t)p->root->at_once << 16);
    for (int i = 0; i < p->n && !k->full; i++) {
        const wn__member *m = &p->m[i];
        const wn__value *v = m->v;
        if (v->kind == WN__V_FOLD || v->kind == WN__V_PRODUCT || v->kind == WN__V_RANDOM) return false;
        put(k, (uint64_t)(uintptr_t)v->fn);
        put(k, (uint64_t)(uintptr_t)v->op);
        put(k, (uint64_t)v->kind | (uint64_t)v->dtype << 8 | (uint64_t)v->ct << 16 | (uint64_t)v->nuses << 24 | (uint64_t)m->space << 28 |
                   (uint64_t)wn__plan_wants(p, m) << 32 | (uint64_t)(v->runs < 4 ? v->runs : 4) << 40);
        for (int u = 0; u < v->nuses; u++) put_use(k, &v->uses[u]);
        put(k, (uint64_t)overwritten_leaf(k, v));
    }
    return !k->full;
}

static key asked; /* by the last search: what is kept after it has this key */
static bool asked_valid;

wn__cached *wn__cache_find(wn__plan *p) {
    asked_valid = p->n > 1 && !wn__tracing() && !wn__reporting() && make_key(p, &asked);
    for (int i = 0; i < p->n; i++) p->m[i].gathered = (uint16_t)i;
    if (!asked_valid) return NULL;
    wn__cached *c = table[asked.hash % ENTRIES];
    if (!c || c->hash != asked.hash || c->nwords != asked.n || memcmp(c->words, asked.w, (size_t)asked.n * sizeof *asked.w)) return NULL;
    wn__member by_place[WN__PLAN_MOST];
    memcpy(by_place, p->m, (size_t)p->n * sizeof *p->m);
    for (int i = 0; i < p->n; i++) {
        WN_ASSERT(c->n == p->n && c->order[i] < p->n);
        p->m[i] = by_place[c->order[i]];
        p->m[i].store = c->store[i];
        p->m[i].optional = c->optional[i];
        p->m[i].guard = 0; /* the cached program has the guards */
        p->m[i].v->index = (uint16_t)i;
    }
    p->nguards = 0;
    return c;
}

static bool find_leaves(wn__cached *c, const wn__plan *p, const wn__program *g, const wn__use *const *uses) {
    for (int l = 0; l < g->nleaves; l++) {
        bool found = false;
        for (int i = 0; i < p->n && !found; i++) {
            const wn__value *v = p->m[i].v;
            if (uses[l] < v->uses || uses[l] >= v->uses + v->nuses) continue;
            c->leaf_member[l] = (uint16_t)i;
            c->leaf_use[l] = (uint8_t)(uses[l] - v->uses);
            found = true;
        }
        if (!found) return false;
    }
    return true;
}

static void drop(wn__cached *c) {
    if (c->ready) wn__ready_free(c->ready);
    wn__free(c);
}

void wn__cache_keep(const wn__plan *p, const wn__program *g, const wn__use *const *uses) {
    if (!asked_valid) return;
    asked_valid = false;
    uint64_t slot = asked.hash % ENTRIES;
    if (seen[slot] != asked.hash) {
        seen[slot] = asked.hash;
        return;
    }
    wn__cached *c = wn__calloc(1, sizeof *c + (size_t)asked.n * sizeof *asked.w);
    if (!c) return;
    c->hash = asked.hash;
    c->nwords = asked.n;
    memcpy(c->words, asked.w, (size_t)asked.n * sizeof *asked.w);
    c->n = p->n;
    for (int i = 0; i < p->n; i++) {
        c->order[i] = p->m[i].gathered;
        c->store[i] = p->m[i].store;
        c->optional[i] = p->m[i].optional;
    }
    if (!find_leaves(c, p, g, uses) || !(c->ready = wn__ready_new(g))) {
        drop(c);
        return;
    }
    wn__program *own = wn__ready_program(c->ready);
    for (int l = 0; l < own->nleaves; l++)
        if (own->leaves[l].constant) own->leaves[l].base = (char *)&c->numbers[l];
    if (table[slot]) drop(table[slot]);
    table[slot] = c;
}

wn__program *wn__cache_program(wn__cached *c, const wn__plan *p) {
    wn__program *g = wn__ready_program(c->ready);
    int o = 0;
    for (int i = 0; i < p->n; i++) {
        if (p->m[i].store != c->store[i]) return NULL; /* a store was given up for lack of memory */
        WN_ASSERT(!p->m[i].store || p->m[i].place);
        if (p->m[i].store) g->outputs[o++].to.base = p->m[i].place;
    }
    for (int l = 0; l < g->nleaves; l++) {
        const wn__use *u = &p->m[c->leaf_member[l]].v->uses[c->leaf_use[l]];
        WN_ASSERT(u->kind == WN__U_NUMBER || (u->src && u->src->state == WN__V_READY && u->src->store->data));
        if (u->kind == WN__U_NUMBER) c->numbers[l] = u->number;
        else g->leaves[l].base = (char *)u->src->store->data + (u->kind == WN__U_SAME ? 0 : u->offset);
    }
    return g;
}

bool wn__cache_run(wn__cached *c) { return wn__ready_run(c->ready); }
