/* isin: the keys of test_elements are sorted once, each kept once. Where they lie close together a byte for each key between them says
 * whether it is one; else a table of their highest bits says where among them to look. */
#include "base/alloc.h"
#include "base/counters.h"
#include "base/threads.h"
#include "ops/order/order.h"

enum { SOME = 256, TABLE_BITS = 16, FEW = 16, ALWAYS = 1 << 12 };

typedef struct members {
    wn__line line; /* elements */
    bool narrow, invert, real;
    const void *keys; /* of test_elements, ascending */
    int64_t n;
    uint64_t least, most;
    int shift;
    const int64_t *table; /* table[p]: keys whose distance from the least one is below p << shift; NULL: none */
    const uint8_t *map;   /* map[p]: is least + p a key? 0 behind the last; NULL: none */
    uint8_t *out;
} members;

static uint64_t key_at(const members *m, int64_t i) { return m->narrow ? ((const uint32_t *)m->keys)[i] : ((const uint64_t *)m->keys)[i]; }

static bool among(const members *m, uint64_t key) {
    if (key < m->least || key > m->most) return false;
    int64_t low = 0, high = m->n;
    if (m->table) {
        uint64_t p = (key - m->least) >> m->shift;
        low = m->table[p];
        high = m->table[p + 1];
    }
    while (low < high) {
        int64_t mid = low + (high - low) / 2;
        bool after = key_at(m, mid) < key;
        low = after ? mid + 1 : low;
        high = after ? high : mid;
    }
    return low < m->n && key_at(m, low) == key;
}

static void look_up(void *ctx, int64_t begin, int64_t end) {
    const members *m = ctx;
    uint64_t key[SOME], nan = wn__key_most(m->line.dtype);
    for (int64_t i = begin, n; i < end; i += n) {
        n = end - i < SOME ? end - i : SOME;
        wn__keys64(&m->line, i, n, key);
        if (m->n <= FEW) { /* each with each */
            uint8_t found[SOME] = {0};
            for (int64_t t = 0; t < m->n; t++) {
                uint64_t one = key_at(m, t);
                if (m->real && one == nan) break;
                for (int64_t k = 0; k < n; k++) found[k] |= key[k] == one;
            }
            for (int64_t k = 0; k < n; k++) m->out[i + k] = found[k] ^ m->invert;
            continue;
        }
        if (m->map) {
            const uint64_t range = m->most - m->least;
            for (int64_t k = 0; k < n; k++) {
                const uint64_t p = key[k] - m->least;
                m->out[i + k] = m->map[p <= range ? p : range + 1] ^ m->invert;
            }
            continue;
        }
        for (int64_t k = 0; k < n; k++) m->out[i + k] = (among(m, key[k]) && !(m->real && key[k] == nan)) != m->invert;
    }
}

/* Each key once, and of NaN, which equals nothing, none. */
static void thin_out(members *m, void *keys) {
    const uint64_t nan = wn__key_most(m->line.dtype);
    int64_t kept = 0;
    for (int64_t i = 0; i < m->n; i++) {
        const uint64_t key = key_at(m, i);
        if ((m->real && key == nan) || (kept && key == key_at(m, kept - 1))) continue;
        if (m->narrow) ((uint32_t *)keys)[kept++] = (uint32_t)key;
        else ((uint64_t *)keys)[kept++] = key;
    }
    m->n = kept;
}

/* For many keys: how many bits of their distance from the least a table of some four times as many places tells apart. */
static int table_bits(const members *m) {
    int bits = 8;
    while (bits < TABLE_BITS && (int64_t)1 << bits < 4 * m->n) bits++;
    return bits;
}
static void make_table(members *m, int64_t *table, int wanted) {
    int bits = 0;
    for (uint64_t range = m->most - m->least; range; range >>= 1) bits++;
    m->shift = bits > wanted ? bits - wanted : 0;
    int64_t i = 0, size = (int64_t)1 << wanted;
    for (int64_t p = 0; p <= size; p++) {
        while (i < m->n && (int64_t)((key_at(m, i) - m->least) >> m->shift) < p) i++;
        table[p] = i;
    }
    m->table = table;
}
static void make_map(members *m, uint8_t *map) {
    memset(map, 0, m->most - m->least + 2);
    for (int64_t i = 0; i < m->n; i++) map[key_at(m, i) - m->least] = 1;
    m->map = map;
}

static wn_status find_all(wn__call *c, members *m, wn_tensor *x, wn_tensor *test) {
    if (x->numel == 0) return WN_OK;
    wn__line tests = {(wn_dtype)test->dtype, wn__ptr(test), 1, test->numel};
    m->line = (wn__line){(wn_dtype)x->dtype, wn__ptr(x), 1, x->numel};
    m->out = (uint8_t *)wn__ptr(c->out[0]);
    if (!m->line.p || !m->out || (test->numel && !tests.p)) return c->th->error ? c->th->error : wn__fail_memory(c->op->name);
    if (test->numel == 0) {
        memset(m->out, m->invert, (size_t)x->numel);
        return WN_OK;
    }
    size_t capacity, help_capacity;
    void *keys = wn__sorted_keys(&tests, &capacity);
    if (!keys) return wn__fail_memory(c->op->name);
    m->keys = keys;
    m->n = test->numel;
    thin_out(m, keys);
    if (m->n == 0) {
        memset(m->out, m->invert, (size_t)x->numel);
        wn__data_free(keys, capacity);
        return WN_OK;
    }
    m->least = key_at(m, 0);
    m->most = key_at(m, m->n - 1);
    const uint64_t range = m->most - m->least;
    const bool close = range < ALWAYS || range < 2 * (uint64_t)x->numel;
    void *help = NULL; /* without the memory: a search among all keys */
    if (m->n > FEW && x->numel > m->n / 4) help = wn__data_alloc(close ? range + 2 : (((size_t)1 << table_bits(m)) + 2) * sizeof(int64_t), &help_capacity);
    if (help && close) make_map(m, help);
    else if (help) make_table(m, help, table_bits(m));
    wn__parallel(x->numel, 4096, look_up, m);
    if (help) wn__data_free(help, help_capacity);
    wn__data_free(keys, capacity);
    wn__count(x->numel);
    return WN_OK;
}

static wn_status no_bool(wn__call *c, const wn_tensor *t) {
    return t->dtype == WN_BOOL ? wn__fail_op(c, WN_E_RUNTIME, "Unsupported input type encountered for isin(): Bool") : WN_OK;
}

wn_status wn__infer_isin(wn__call *c, wn_tensor *elements, wn_tensor *test_elements) {
    wn_status st = no_bool(c, elements);
    if (!st) st = no_bool(c, test_elements);
    return st ? st : wn__result(c, 0, WN_BOOL, elements->ndim, elements->shape, NULL);
}
wn_status wn__run_isin(wn__call *c, wn_tensor *elements, wn_tensor *test_elements, bool invert) {
    wn__tiers t = {0};
    wn__tiers_add(&t, elements);
    wn__tiers_add(&t, test_elements);
    wn_dtype d = wn__tiers_result(&t);
    members m = {.narrow = wn__keys_narrow(d), .invert = invert, .real = wn__is_float((int)d)};
    WN__OWNED wn_tensor *x = wn__plain_raw(elements, d), *test = wn__plain_raw(test_elements, d);
    return x && test ? find_all(c, &m, x, test) : wn__fail_memory(c->op->name);
}

wn_status wn__check_isin_number(wn__call *c) { return no_bool(c, c->in[0]); }
wn_status wn__op_isin_of_number(wn__call *c, wn_val element, wn_tensor *test_elements, bool invert) {
    wn_status st = no_bool(c, test_elements);
    if (st) return st;
    wn_tensor *found = wn_any(wn_eq(test_elements, element));
    if (wn_ok(found) && wn_dtype_of(found) != WN_BOOL) found = wn_to(found, WN_BOOL);
    return wn__give(c, 0, invert ? wn_logical_not(found) : found);
}
